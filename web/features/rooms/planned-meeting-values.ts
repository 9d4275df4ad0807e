import { type MeetingTimes, type PlanMeeting, WEEKDAYS, type Weekday } from '../../../shared/planned-meetings.ts'
import { currentZoneName, ownTimeZone } from '../../lib/time-zone.ts'

/** The fields as form inputs hold them. */
export type PlannedMeetingValues = {
  repeats: 'once' | 'weekly'
  first_day: string
  last_day: string // empty: no end
  weekdays: string[]
  time: string
  minutes: number | string
  time_zone: string
}

const USUAL_MINUTES = 60

/** Offers tomorrow for a new meeting. */
export function plannedMeetingValues(times: MeetingTimes | null, now: number): PlannedMeetingValues {
  if (!times) {
    const tomorrow = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(ownTimeZone()).add({ days: 1 })
    const day = tomorrow.toPlainDate()
    return {
      repeats: 'weekly',
      first_day: day.toString(),
      last_day: '',
      weekdays: [weekdayOf(day)],
      time: '19:00',
      minutes: USUAL_MINUTES,
      time_zone: ownTimeZone(),
    }
  }
  const { first_day, last_day, weekdays, time, minutes, time_zone } = times
  const repeats = weekdays.length > 0 ? 'weekly' : 'once'
  return { repeats, first_day, last_day: last_day ?? '', weekdays, time, minutes, time_zone }
}

function weekdayOf({ dayOfWeek }: Temporal.PlainDate): Weekday {
  return WEEKDAYS[dayOfWeek - 1] ?? 'MO'
}

/** Returns the times as the server takes them. */
export function timesOf({ repeats, last_day, weekdays, minutes, ...values }: PlannedMeetingValues): PlanMeeting {
  const isWeekly = repeats === 'weekly'
  return {
    ...values,
    last_day: isWeekly && last_day ? last_day : null,
    weekdays: isWeekly ? WEEKDAYS.filter((day) => weekdays.includes(day)) : [],
    minutes: typeof minutes === 'number' ? minutes : Number.NaN,
  }
}

/** Lists the zones that the browser knows, by their present names. */
export function timeZones(chosen: string): string[] {
  return [...new Set([ownTimeZone(), chosen, ...Intl.supportedValuesOf('timeZone').map(currentZoneName), 'UTC'])]
}
