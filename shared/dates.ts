import { z } from 'zod'

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
/** A fixed length of time. Use Temporal for calendar days and months. */
export const DAY_MS = 24 * HOUR_MS

/** Limits years to those that both the calendar and the database support. */
const isInRange = (text: string) => /^(19|20|21)/.test(text)

/** A day in UTC, such as 2026-11-21. */
export const Day = z.iso.date({ error: 'This is not a day', abort: true }).refine(isInRange, 'This is not a day')

/** A day, or an ISO 8601 time. */
export const dayOrTime = (otherwise: string) =>
  z.union([z.iso.date(), z.iso.datetime({ offset: true })], otherwise).refine(isInRange, otherwise)
export const DayOrTime = dayOrTime('This is not a day or a time')

/** The name of a time zone in the tz database, such as Asia/Kolkata. */
export const TimeZone = z.string().max(64).refine(isTimeZone, 'This is not a time zone')

function isTimeZone(name: string): boolean {
  try {
    return /^[A-Z]/i.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }) !== null
  } catch {
    return false
  }
}

export function utcDay(ms: number): Temporal.PlainDate {
  return dayIn('UTC', ms)
}

export function dayIn(zone: string, ms: number): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toPlainDate()
}

/** Returns the first moment of a day. It is not midnight where the clocks change then. */
export function startOfDay(day: Temporal.PlainDate, zone = 'UTC'): Date {
  return new Date(day.toZonedDateTime(zone).epochMilliseconds)
}

/** The last second of a day in UTC. */
export function endOfDay(day: string): Date {
  return new Date(
    Temporal.PlainDate.from(day).toZonedDateTime({ timeZone: 'UTC', plainTime: '23:59:59' }).epochMilliseconds,
  )
}

export function startOf(dayOrTime: string, zone = 'UTC'): Date {
  return isDay(dayOrTime) ? startOfDay(Temporal.PlainDate.from(dayOrTime), zone) : new Date(dayOrTime)
}

/** Returns the first moment after a day, or the millisecond after a time. */
export function endExclusive(dayOrTime: string, zone = 'UTC'): Date {
  return isDay(dayOrTime)
    ? startOfDay(Temporal.PlainDate.from(dayOrTime).add({ days: 1 }), zone)
    : new Date(Date.parse(dayOrTime) + 1)
}

/** Counts the days from first to last, both included; below 1 if the last comes before the first. */
export function countDays(from: string, to: string): number {
  return Temporal.PlainDate.from(from).until(to).days + 1
}

/** Adds calendar months in UTC, clamped to the last day of the resulting month. */
export function addMonths(from: Date, months: number): Date {
  const moved = Temporal.Instant.fromEpochMilliseconds(from.getTime()).toZonedDateTimeISO('UTC').add({ months })
  return new Date(moved.epochMilliseconds)
}

export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text)
}
