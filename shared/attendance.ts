import { z } from 'zod'
import { Day } from './dates.ts'
import { answer, Time } from './envelope.ts'

export const ATTENDANCE_DAYS_MAX = 366
/** The list of stays holds at most this many, the latest ones; the CSV of stays holds all. */
export const STAYS_SHOWN = 10_000

/** Days in UTC, both included; absent: today. */
export const AttendanceQuery = z.object({
  from: Day.optional(),
  to: Day.optional(),
  format: z.enum(['json', 'csv']).default('json'),
  table: z.enum(['users', 'stays']).default('users').describe('Which table the file holds: users, or stays.'),
})
export type AttendanceQuery = z.output<typeof AttendanceQuery>

/** One who came: `total_seconds` and `visits` are those of the asked days; `last_left` is null for who is still there. */
export const Attendance = z.object({
  id: z.string(),
  user_id: z.string(),
  username: z.string(),
  reference: z.string().nullable(),
  first_joined: Time,
  last_left: Time.nullable(),
  total_seconds: z.number().int(),
  visits: z.number().int(),
})
export type Attendance = z.infer<typeof Attendance>

export const Absent = z.object({
  id: z.string(),
  user_id: z.string(),
  username: z.string(),
  reference: z.string().nullable(),
})
export type Absent = z.infer<typeof Absent>

export const Stay = z.object({
  id: z.string(), // of the user, as above
  user_id: z.string(),
  username: z.string(),
  joined_at: Time,
  left_at: Time.nullable(),
  seconds: z.number().int(), // within the asked days
})
export type Stay = z.infer<typeof Stay>

export const AttendanceAnswer = answer(
  z.object({
    from: z.string(),
    to: z.string(),
    attendance: z.array(Attendance),
    absent: z.array(Absent),
    stays: z.array(Stay), // newest first
    stays_total: z.number().int(),
  }),
)
export type AttendanceAnswer = z.infer<typeof AttendanceAnswer>
