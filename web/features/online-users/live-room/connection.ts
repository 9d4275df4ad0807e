/** With neither stream nor poll for this long, what the page shows may be wrong. */
const STALE_AFTER_MS = 5000
/** A tab that was hidden hears nothing; on its return it gets this long to catch up before it complains. */
const CATCH_UP_MS = 1500

export type Connection = 'live' | 'reconnecting' | 'stale'

/** How far the page may be believed. Only `live` offers buttons; times are the browser's, in ms. */
export function connection(heardAt: number, shownAt: number, now: number): Connection {
  if (now - heardAt < STALE_AFTER_MS) return 'live'
  return now - shownAt < CATCH_UP_MS ? 'reconnecting' : 'stale'
}
