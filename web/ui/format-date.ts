const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
const MOMENT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
const WEEKDAY_MOMENT = new Intl.DateTimeFormat('en-GB', {
  ...{ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  ...{ hour: '2-digit', minute: '2-digit' },
})
const TIME = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' })
const DAY_OF_YEAR = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const LONG_DAY = { weekday: 'long', day: 'numeric', month: 'long' } as const
const LONG_UTC_DAY = new Intl.DateTimeFormat('en-GB', { ...LONG_DAY, year: 'numeric', timeZone: 'UTC' })
const LONG_DAY_OF_YEAR = new Intl.DateTimeFormat('en-GB', LONG_DAY)
const LONG_DAY_WITH_YEAR = new Intl.DateTimeFormat('en-GB', { ...LONG_DAY, year: 'numeric' })
const UTC_DAY = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

/** Formats a day as 3 Dec 2026, in the reader's own time zone. */
export function formatDay(iso: string): string {
  return DAY.format(new Date(iso))
}

export function formatMoment(iso: string): string {
  return MOMENT.format(new Date(iso))
}

/** Formats a moment with its day of the week: Fri 27 Nov 2026, 17:58. */
export function formatWeekdayMoment(iso: string): string {
  return withoutComma(WEEKDAY_MOMENT.format(new Date(iso)))
}

/** A short form for columns: Today, 14:05; 22 Nov, 14:05; in an earlier year 22 Nov 2025. */
export function formatShortMoment(iso: string, now: number): string {
  const at = new Date(iso)
  const today = new Date(now)
  if (at.getFullYear() !== today.getFullYear()) return DAY.format(at)
  const isToday = DAY_OF_YEAR.format(at) === DAY_OF_YEAR.format(today)
  return isToday ? `Today, ${TIME.format(at)}` : `${DAY_OF_YEAR.format(at)}, ${TIME.format(at)}`
}

export function formatTime(iso: string): string {
  return TIME.format(new Date(iso))
}

/** Formats a day that is counted in UTC, such as the last day of a subscription: the same for every reader. */
export function formatUtcDay(iso: string): string {
  return UTC_DAY.format(new Date(iso))
}

/** Formats the time; adds the day before it unless that is today. */
export function formatSince(iso: string): string {
  const at = new Date(iso)
  const isToday = DAY.format(at) === DAY.format(new Date())
  return isToday ? TIME.format(at) : `${DAY_OF_YEAR.format(at)}, ${TIME.format(at)}`
}

/** Formats a day of the calendar, such as 2026-12-01, with its weekday: Tuesday 1 December 2026. */
export function formatLongDay(day: string): string {
  return withoutComma(LONG_UTC_DAY.format(new Date(day)))
}

/** Formats a time that is to come: Tuesday 1 December, 19:30. Names the year if it is another. */
export function formatLongMoment(iso: string, now: number): string {
  const at = new Date(iso)
  const day = at.getFullYear() === new Date(now).getFullYear() ? LONG_DAY_OF_YEAR : LONG_DAY_WITH_YEAR
  return `${withoutComma(day.format(at))}, ${TIME.format(at)}`
}

/** Some browsers write Tuesday, 1 December. */
const withoutComma = (day: string) => day.replace(',', '')
