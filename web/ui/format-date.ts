const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
const MOMENT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
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

/** A day that is counted in UTC, as the last one of a subscription: the same for every reader. */
export function formatUtcDay(iso: string): string {
  return UTC_DAY.format(new Date(iso))
}
