const DAY_MS = 86_400_000

/** The day in UTC, as 2026-11-21. */
export function utcDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

/** When a day begins, or the moment itself. */
export function startOf(dayOrTime: string): Date {
  return new Date(dayOrTime)
}

/** The first moment after a day; after a moment, the next millisecond. */
export function endOf(dayOrTime: string): Date {
  return new Date(Date.parse(dayOrTime) + (isDay(dayOrTime) ? DAY_MS : 1))
}

/** How many days these are, both included; below 1 when the last comes before the first. */
export function daysFrom(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text)
}
