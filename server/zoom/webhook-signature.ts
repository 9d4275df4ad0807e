import { createHmac } from 'node:crypto'
import { HOUR_MS, MINUTE_MS } from '../../shared/dates.ts'
import { isSame } from '../lib/secrets.ts'

/** How far the time of a delivery may be off, either way. */
const WINDOW_MS = 5 * MINUTE_MS
/** Zoom's last retry comes 85 minutes after the first try, and may bear the first one's time. */
const RETRIED_MS = 2 * HOUR_MS

interface Delivery {
  signature: unknown
  timestamp: unknown // seconds, unlike the event's own time
  body: Buffer
}

/**
 * When Zoom signed these very bytes: just now, or so long ago that only an event that never came may be meant. Null where
 * it did not, or too long ago. Read as text and written again, they would not be the same ones.
 */
export function signedByZoom(
  secret: string,
  { signature, timestamp, body }: Delivery,
  now: number,
): 'now' | 'earlier' | null {
  if (typeof signature !== 'string' || typeof timestamp !== 'string' || !/^\d{1,12}$/.test(timestamp)) return null
  const age = now - Number(timestamp) * 1000
  if (age < -WINDOW_MS || age > RETRIED_MS) return null
  const expected = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest('hex')
  if (!isSame(`v0=${expected}`, signature)) return null
  return age <= WINDOW_MS ? 'now' : 'earlier'
}

/** The proof that we know the secret, which Zoom asks for when the address is saved and every three days after. */
export function validationAnswer(secret: string, plainToken: string) {
  return { plainToken, encryptedToken: createHmac('sha256', secret).update(plainToken).digest('hex') }
}
