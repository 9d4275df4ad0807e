import { z } from 'zod'
import { DayOrTime, TimeZone } from './dates.ts'
import { answer, Time } from './envelope.ts'

export const ATTENDANCE_DAYS_MAX = 366
/** The longest list of stays, the latest ones; the CSV of stays is complete. */
export const STAYS_SHOWN = 10_000

/** Two days, both included, or two exact times. Defaults to today. */
export const MeetingsQuery = z.object({
  from: DayOrTime.optional().describe('A day of the zone, or a time.'),
  to: DayOrTime.optional().describe('A day includes all of it.'),
  zone: TimeZone.default('UTC').describe('The time zone in which the days are counted.'),
})
export type MeetingsQuery = z.output<typeof MeetingsQuery>

/** The tables of the lists, then those of the charts. */
export const AttendanceFile = z.enum([
  'users',
  'speakers',
  'stays',
  'presence',
  'days',
  'lengths',
  'first_timers',
  'lapsed',
])
export type AttendanceFile = z.infer<typeof AttendanceFile>

export const AttendanceQuery = MeetingsQuery.extend({
  format: z.enum(['json', 'csv']).default('json'),
  table: AttendanceFile.default('users').describe(
    'Which table the file holds: users, those who spoke and for how long, or stays; or that of a chart.',
  ),
})
export type AttendanceQuery = z.output<typeof AttendanceQuery>

/** An attendee. `total_seconds` and `visits` are of the requested days; `last_left` is null while the user is present. */
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

export const Absentee = z.object({
  id: z.string(),
  user_id: z.string(),
  username: z.string(),
  reference: z.string().nullable(),
})
export type Absentee = z.infer<typeof Absentee>

/** A user who spoke in the requested days, pauses of up to 5 s included. */
export const SpeakingTime = Absentee.extend({ spoke_seconds: z.number().int() })
export type SpeakingTime = z.infer<typeof SpeakingTime>

export const Stay = z.object({
  id: z.string(), // the user's, as above
  user_id: z.string(),
  username: z.string(),
  joined_at: Time,
  left_at: Time.nullable(),
  seconds: z.number().int(), // within the requested days
})
export type Stay = z.infer<typeof Stay>

export const AttendanceAnswer = answer(
  z.object({
    from: z.string(),
    to: z.string(),
    zone: z.string(),
    attendance: z.array(Attendance),
    absent: z.array(Absentee),
    speakers: z.array(SpeakingTime), // the longest first
    stays: z.array(Stay), // newest first
    stays_total: z.number().int(),
  }),
)
export type AttendanceAnswer = z.infer<typeof AttendanceAnswer>

/** A meeting of the room, from its start at Zoom to its end. */
export const SittingTimes = z.object({
  id: z.string(),
  started_at: Time,
  ended_at: Time.nullable(), // null while it runs
})
export type SittingTimes = z.infer<typeof SittingTimes>

/** Newest first. A room without Zoom has none. */
export const MeetingsAnswer = answer(z.object({ has_zoom: z.boolean(), meetings: z.array(SittingTimes) }))
export type MeetingsAnswer = z.infer<typeof MeetingsAnswer>
