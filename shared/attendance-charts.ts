import { z } from 'zod'
import { Absentee } from './attendance.ts'
import { answer, Time } from './envelope.ts'

/** A user who misses this many meetings in a row is listed. */
export const LAPSED_MEETINGS = 4
/** The lengths of visits, in seconds, at which their bands begin, after the one from 0. */
export const LENGTH_BOUNDS = [300, 900, 1800, 2700, 3600, 5400, 7200, 10_800] as const

/** A step of the time. `present` is the most who were online at one moment of it. */
export const PresencePoint = z.object({
  at: Time,
  present: z.number().int(),
  joined: z.number().int(),
  left: z.number().int(),
})
export type PresencePoint = z.infer<typeof PresencePoint>

/** `most_at` is null if no one came. */
export const PresenceChart = z.object({
  came: z.number().int(),
  most: z.number().int(),
  most_at: Time.nullable(),
  step_seconds: z.number().int(),
  points: z.array(PresencePoint),
})
export type PresenceChart = z.infer<typeof PresenceChart>

/** Counts the users who came on a day of the zone. */
export const DayCount = z.object({ day: z.string(), users: z.number().int() })
export type DayCount = z.infer<typeof DayCount>

/** Visits of at least `from_seconds` and less than `to_seconds`, which the longest lack. */
export const LengthBand = z.object({
  from_seconds: z.number().int(),
  to_seconds: z.number().int().nullable(),
  visits: z.number().int(),
})
export type LengthBand = z.infer<typeof LengthBand>

/** The median is null without visits. */
export const LengthChart = z.object({ median_seconds: z.number().int().nullable(), bands: z.array(LengthBand) })
export type LengthChart = z.infer<typeof LengthChart>

export const FirstTimer = Absentee.extend({ first_joined: Time })
export type FirstTimer = z.infer<typeof FirstTimer>

/** `last_joined` is null for a user who never came, as far as attendance is kept. */
export const LapsedUser = Absentee.extend({ last_joined: Time.nullable() })
export type LapsedUser = z.infer<typeof LapsedUser>

/** Lists no user while there are fewer meetings than it takes. */
export const Lapsed = z.object({ meetings: z.number().int(), users: z.array(LapsedUser) })
export type Lapsed = z.infer<typeof Lapsed>

export const AttendanceChartsAnswer = answer(
  z.object({
    from: z.string(),
    to: z.string(),
    zone: z.string(),
    presence: PresenceChart.nullable(), // null for more than two days
    days: z.array(DayCount),
    lengths: LengthChart,
    first_timers: z.array(FirstTimer),
    lapsed: Lapsed,
  }),
)
export type AttendanceChartsAnswer = z.infer<typeof AttendanceChartsAnswer>
