import { z } from 'zod'
import { answer, Time } from './envelope.ts'

export const HISTORY_PAGE_MAX = 100

export const UserHistoryQuery = z.object({
  limit: z.coerce.number().int().min(1).max(HISTORY_PAGE_MAX).default(20),
  before: Time.optional().describe('The `next` of the page before.'),
})
export type UserHistoryQuery = z.output<typeof UserHistoryQuery>

export const UserStay = z.object({
  joined_at: Time,
  left_at: Time.nullable(), // null while the user is online
  seconds: z.number().int(),
})
export type UserStay = z.infer<typeof UserStay>

/** Stays are newest first. `next` is the `before` of the next page; null on the last one. */
export const UserHistory = z.object({
  created_at: Time,
  device_bound_at: Time.nullable(), // null without a phone, or if it was bound before this was stored
  visits: z.number().int(),
  total_seconds: z.number().int(),
  stays: z.array(UserStay),
  next: Time.nullable(),
})
export type UserHistory = z.infer<typeof UserHistory>
export const UserHistoryAnswer = answer(UserHistory)
