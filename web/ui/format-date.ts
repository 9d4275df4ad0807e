const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
const MOMENT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
const TIME = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' })
const DAY_OF_YEAR = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const UTC_DAY = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

/** A day as 3 Dec 2026, in the reader's own time zone. */
export function formatDay(iso: string): string {
  return DAY.format(new Date(iso))
}

export function formatMoment(iso: string): string {
  return MOMENT.format(new Date(iso))
}

/** As short as a column needs it: Today, 14:05; 22 Nov, 14:05; of an earlier year 22 Nov 2025. */
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

/** A day that is counted in UTC, as the last one of a subscription: the same for every reader. */
export function formatUtcDay(iso: string): string {
  return UTC_DAY.format(new Date(iso))
}

/** The time, with the day before it where that is not today. */
export function formatSince(iso: string): string {
  const at = new Date(iso)
  const isToday = DAY.format(at) === DAY.format(new Date())
  return isToday ? TIME.format(at) : `${DAY_OF_YEAR.format(at)}, ${TIME.format(at)}`
}
