/** What a wrong clock in the browser is allowed to be wrong by before it counts as set anew. */
const JUMP_MS = 2000

let offset: number | null = null

/**
 * The server's time against `performance.now()`. Of several readings the largest counts, since it was the least
 * delayed on its way.
 */
export function readServerTime(iso: string): void {
  const reading = Date.parse(iso) - performance.now()
  if (offset === null || reading > offset || offset - reading > JUMP_MS) offset = reading
}

/** Seconds since a time of the server's, at this `performance.now()`. */
export function secondsSince(iso: string, now: number): number {
  const serverNow = offset === null ? Date.now() : offset + now
  return Math.max(0, (serverNow - Date.parse(iso)) / 1000)
}
