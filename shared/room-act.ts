import { z } from 'zod'
import { Time } from './envelope.ts'

/** An act that changed who is muted in a room. */
export const RoomAct = z.object({
  act: z.string().describe('Identifies the act: `expect` takes it.'),
  action: z.string(), // as in the audit: `mute_all`, `user_unmute`
  by: z.object({ id: z.string(), name: z.string(), role: z.enum(['host', 'manager', 'moderator']) }),
  at: Time,
})
export type RoomAct = z.infer<typeof RoomAct>
