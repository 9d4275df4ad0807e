import { z } from 'zod'
import { answer } from './envelope.ts'
import { BulkOutcome, BulkUsers } from './room-users.ts'

export const ChangeGroupUsers = BulkUsers.extend({ change: z.enum(['add', 'remove']) })
export type ChangeGroupUsers = z.infer<typeof ChangeGroupUsers>

export const GroupUsersOutcome = BulkOutcome.pick({ succeeded: true, failed: true })
export type GroupUsersOutcome = z.infer<typeof GroupUsersOutcome>
export const GroupUsersAnswer = answer(GroupUsersOutcome)
