import { z } from 'zod'
import { Day, TimeZone } from './dates.ts'
import { answer, Time } from './envelope.ts'

/** Their names in calendar files. */
export const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const
export const Weekday = z.enum(WEEKDAYS)
export type Weekday = z.infer<typeof Weekday>

/** The most that a room may have. */
export const PLANNED_MEETINGS_MAX = 20
export const MEETING_MINUTES = { min: 5, max: 24 * 60 } as const

const LENGTH = 'Choose a length from 5 minutes to 24 hours'

/** A day and a time in a zone: a weekly meeting keeps its hour where the clocks change. */
const When = z.object({
  first_day: Day.describe('The day of the only meeting, or the first day on which a weekly one may take place.'),
  last_day: Day.nullable().default(null).describe('The last day of a weekly meeting; null if it has no end.'),
  weekdays: z
    .array(Weekday)
    .max(WEEKDAYS.length)
    .describe('The days of the week on which it takes place; empty if it takes place once.'),
  time: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter a time such as 19:30')
    .describe('In `time_zone`. Where the clocks skip it, the meeting begins as much later.'),
  minutes: z.int(LENGTH).min(MEETING_MINUTES.min, LENGTH).max(MEETING_MINUTES.max, LENGTH),
  time_zone: TimeZone,
})
export type MeetingTimes = z.output<typeof When>

const checkDays = ({ first_day, last_day, weekdays }: MeetingTimes, context: z.RefinementCtx) => {
  if (last_day === null) return
  const fail = (message: string) => context.addIssue({ code: 'custom', path: ['last_day'], message })
  if (weekdays.length === 0) fail('A meeting that takes place once has no last day')
  else if (last_day < first_day) fail('The last day is before the first')
}

export const PlanMeeting = When.superRefine(checkDays)
export type PlanMeeting = z.input<typeof PlanMeeting>

/** Names the state that the caller saw; any other one is answered with 409 state_changed. */
const Seen = z.object({ updated_at: Time })
export const EditPlannedMeeting = When.extend({ expect: Seen.optional() }).superRefine(checkDays)
export type EditPlannedMeeting = z.input<typeof EditPlannedMeeting>
export const RemovePlannedMeeting = z.object({ expect: Seen.optional() }).nullish()

export const NextMeeting = z.object({ starts_at: Time, ends_at: Time })
export type NextMeeting = z.infer<typeof NextMeeting>

export const PlannedMeeting = When.extend({
  id: z.string(),
  updated_at: Time,
  next: NextMeeting.nullable().describe('The running or the next meeting of these; null once all are over.'),
  moved: z
    .object({ day: z.string(), time: z.string() })
    .nullable()
    .describe('The next day, within a year, on which the clocks skip its time, and the time at which it begins then.'),
})
export type PlannedMeeting = z.infer<typeof PlannedMeeting>

export const PlannedMeetingAnswer = answer(z.object({ planned_meeting: PlannedMeeting }))
export const PlannedMeetingsAnswer = answer(
  z.object({
    planned_meetings: z.array(PlannedMeeting),
    next_meeting: NextMeeting.nullable(),
    calendar_link_made_at: Time.nullable()
      .default(null)
      .describe('When the link for calendars was made that works now; null if none does.'),
  }),
)

/** Shown once: its token is not stored. */
export const CalendarLinkAnswer = answer(z.object({ url: z.string() }))
