import { WEEKDAYS } from '../../../../shared/planned-meetings.ts'
import { localTime } from './calendar-lines.ts'

/** The clocks change from one offset to another; the time is that of the clocks before. */
interface Change {
  at: Temporal.PlainDateTime
  from: number
  to: number
}

/** Tells the last of five weeks from the fourth one, and a rule that goes on from one that has ended. */
const YEARS_AHEAD = 12
const YEARS_BACK = 40

/**
 * Describes a zone's clocks for meetings from this year on (VTIMEZONE). Changes that come back each year on the same
 * weekday of the month are a rule without an end; others are listed, for twelve years from now.
 */
export function zoneLines(time_zone: string, { firstYear, now }: { firstYear: number; now: number }): string[] {
  const { year } = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO('UTC')
  const first = Math.min(Math.max(firstYear, year - YEARS_BACK), year)
  const last = year + YEARS_AHEAD
  const groups = Map.groupBy(changesIn(time_zone, first, last), groupOf)
  return [
    'BEGIN:VTIMEZONE',
    `TZID:${time_zone}`,
    ...[...groups.values()].flatMap((changes) => observanceLines(changes, last)),
    'END:VTIMEZONE',
  ]
}

/** Begins with the change that set the clocks as they are at the start of the first year. */
function changesIn(time_zone: string, first: number, last: number): Change[] {
  const start = Temporal.PlainDate.from({ year: first, month: 1, day: 1 }).toZonedDateTime(time_zone)
  const before = start.getTimeZoneTransition('previous')
  const changes: Change[] = []
  for (let change = before ?? start.getTimeZoneTransition('next'); change && change.year <= last; ) {
    const from = change.subtract({ nanoseconds: 1 }).offsetNanoseconds
    const to = change.offsetNanoseconds
    const at = change.toPlainDateTime().subtract({ nanoseconds: to - from })
    if (from !== to) changes.push({ at, from, to })
    change = change.getTimeZoneTransition('next')
  }
  const begin = before ? [] : [{ at: EPOCH, from: start.offsetNanoseconds, to: start.offsetNanoseconds }]
  return [...begin, ...changes]
}

const EPOCH = Temporal.PlainDateTime.from('1970-01-01T00:00:00')

const groupOf = ({ at, from, to }: Change) => [from, to, at.month, at.dayOfWeek, at.toPlainTime()].join(' ')

/** Lists changes without a rule one by one: programs read a list of dates (RDATE) in different ways. */
function observanceLines(changes: Change[], last: number): string[] {
  const rule = yearlyRule(changes, last)
  if (rule) return changes.slice(0, 1).flatMap((first) => oneObservance(first, [rule]))
  return changes.flatMap((change) => oneObservance(change, []))
}

function oneObservance({ at, from, to }: Change, rule: string[]): string[] {
  const kind = to > from ? 'DAYLIGHT' : 'STANDARD'
  return [
    `BEGIN:${kind}`,
    `DTSTART:${localTime(at)}`,
    `TZOFFSETFROM:${offset(from)}`,
    `TZOFFSETTO:${offset(to)}`,
    ...rule,
    `END:${kind}`,
  ]
}

/** Returns null unless the changes come each year, up to the last one. */
function yearlyRule(changes: Change[], last: number): string | null {
  const [first] = changes
  const isYearly = changes.every(({ at }, index) => at.year === last - (changes.length - 1 - index))
  if (!first || !isYearly || changes.length < YEARS_AHEAD) return null
  const week = weekOf(changes)
  if (week === null) return null
  return `RRULE:FREQ=YEARLY;BYMONTH=${first.at.month};BYDAY=${week}${WEEKDAYS[first.at.dayOfWeek - 1]}`
}

/** Returns which such weekday of the month it is: -1 for the last one. */
function weekOf(changes: Change[]): number | null {
  if (changes.every(({ at }) => at.day + 7 > at.daysInMonth)) return -1
  const weeks = new Set(changes.map(({ at }) => Math.ceil(at.day / 7)))
  const [week = null] = weeks
  return weeks.size === 1 ? week : null
}

/** Writes an offset from UTC: +0530. */
function offset(nanoseconds: number): string {
  const seconds = Math.abs(nanoseconds) / 1e9
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const digits = parts.map((part) => String(part).padStart(2, '0')).join('')
  return `${nanoseconds < 0 ? '-' : '+'}${digits.replace(/00$/, '').padEnd(4, '0')}`
}
