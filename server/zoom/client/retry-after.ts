/**
 * How many milliseconds a Retry-After header asks us to wait. Zoom writes an ISO 8601 time for its daily limits; seconds
 * and HTTP dates are what the standard allows. Null when there is none, or none that makes sense.
 */
export function retryAfterMs(header: string | null, now: number): number | null {
  const text = header?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const time = /^\d{4}-|^[A-Z][a-z]{2},/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) ? null : Math.max(0, time - now)
}
