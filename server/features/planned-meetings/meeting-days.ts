import { dayIn, MINUTE_MS } from '../../../shared/dates.ts'
import { type MeetingTimes, WEEKDAYS } from '../../../shared/planned-meetings.ts'

/** Times in ms. */
export interface MeetingTime {
  starts_at: number
  ends_at: number
  /** The clocks skip the planned time on this day. */
  is_moved: boolean
}

/** No meeting is longer than a day, and no change of the clocks either. */
const DAYS_BACK = 2

/** Temporal moves a time that the clocks skip forward, and takes the first of one that comes twice, as calendars do. */
function meetingOn({ time, time_zone, minutes }: MeetingTimes, day: Temporal.PlainDate): MeetingTime {
  const planned = day.toPlainDateTime(Temporal.PlainTime.from(time))
  const start = planned.toZonedDateTime(time_zone)
  const starts_at = start.epochMilliseconds
  return { starts_at, ends_at: starts_at + minutes * MINUTE_MS, is_moved: !start.toPlainDateTime().equals(planned) }
}

/** Returns the first day on which it takes place, from this one on; null if there is none. */
export function firstDayFrom(
  { first_day, last_day, weekdays }: MeetingTimes,
  from: Temporal.PlainDate | null,
): Temporal.PlainDate | null {
  const first = Temporal.PlainDate.from(first_day)
  let day = from && Temporal.PlainDate.compare(from, first) > 0 ? from : first
  if (weekdays.length === 0) return day.equals(first) ? first : null
  while (!takesPlaceOn(weekdays, day)) day = day.add({ days: 1 })
  return last_day !== null && Temporal.PlainDate.compare(day, last_day) > 0 ? null : day
}

function takesPlaceOn(weekdays: MeetingTimes['weekdays'], { dayOfWeek }: Temporal.PlainDate): boolean {
  return weekdays.some((day) => WEEKDAYS.indexOf(day) === dayOfWeek - 1)
}

/** Returns the first meeting that ends after this time. */
export function nextMeetingOf(times: MeetingTimes, now: number): MeetingTime | null {
  return firstMeeting(times, now, ({ ends_at }) => ends_at > now)
}

/** Returns the first meeting that begins after this time. */
export function nextStartAfter(times: MeetingTimes, now: number): MeetingTime | null {
  return firstMeeting(times, now, ({ starts_at }) => starts_at > now)
}

function firstMeeting(times: MeetingTimes, now: number, isIt: (meeting: MeetingTime) => boolean): MeetingTime | null {
  let day = firstDayFrom(times, dayIn(times.time_zone, now).subtract({ days: DAYS_BACK }))
  while (day) {
    const meeting = meetingOn(times, day)
    if (isIt(meeting)) return meeting
    day = firstDayFrom(times, day.add({ days: 1 }))
  }
  return null
}

/** Returns when the last meeting ends: null if it goes on for good, undefined if there is none at all. */
export function endOfAll(times: MeetingTimes): number | null | undefined {
  const first = firstDayFrom(times, null)
  if (!first) return undefined
  if (times.weekdays.length === 0) return meetingOn(times, first).ends_at
  if (times.last_day === null) return null
  let day = Temporal.PlainDate.from(times.last_day)
  while (!takesPlaceOn(times.weekdays, day)) day = day.subtract({ days: 1 })
  return meetingOn(times, day).ends_at
}

/** Returns the next day, within a year, on which the clocks skip its time. */
export function nextMovedDay(times: MeetingTimes, now: number): { day: string; time: string } | null {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(times.time_zone)
  const end = today.add({ years: 1 })
  let change = today.subtract({ days: 1 }).getTimeZoneTransition('next')
  while (change && Temporal.ZonedDateTime.compare(change, end) <= 0) {
    const day = change.toPlainDate()
    if (firstDayFrom(times, day)?.equals(day)) {
      const { is_moved, starts_at, ends_at } = meetingOn(times, day)
      const start = Temporal.Instant.fromEpochMilliseconds(starts_at).toZonedDateTimeISO(times.time_zone)
      if (is_moved && ends_at > now)
        return { day: day.toString(), time: start.toPlainTime().toString({ smallestUnit: 'minute' }) }
    }
    change = change.getTimeZoneTransition('next')
  }
  return null
}
