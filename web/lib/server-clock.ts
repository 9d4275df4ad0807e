/** A larger jump of the clock means that it was reset. */
const JUMP_MS = 2000

let offset: number | null = null

/**
 * Estimates the server's time relative to `performance.now()`. The largest of several readings wins, since it was
 * delayed least on its way.
 */
export function readServerTime(iso: string): void {
  const reading = Date.parse(iso) - performance.now()
  if (offset === null || reading > offset || offset - reading > JUMP_MS) offset = reading
}

/** Returns the seconds since a time of the server, at this `performance.now()`. */
export function secondsSince(iso: string, now: number): number {
  const serverNow = offset === null ? Date.now() : offset + now
  return Math.max(0, (serverNow - Date.parse(iso)) / 1000)
}

/** A browser's clock that is right to the minute is more exact than an answer, whose date has no parts of a second. */
const RIGHT_WITHIN_MS = 60_000

let wrongBy = 0

/** Reads the `Date` of an answer. */
export function readDate(header: string | null): void {
  const by = Date.now() - Date.parse(header ?? '')
  if (!Number.isNaN(by)) wrongBy = Math.abs(by) < RIGHT_WITHIN_MS ? 0 : by
}

/** Returns the server's time, for counting days: the clock of the browser may be wrong. */
export function serverNow(): number {
  return Date.now() - wrongBy
}
