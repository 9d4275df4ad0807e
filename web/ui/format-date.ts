const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
const MOMENT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })

/** A day as 3 Dec 2026, in the reader's own time zone. */
export function formatDay(iso: string): string {
  return DAY.format(new Date(iso))
}

export function formatMoment(iso: string): string {
  return MOMENT.format(new Date(iso))
}
