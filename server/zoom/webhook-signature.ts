import { createHmac } from 'node:crypto'
import { HOUR_MS, MINUTE_MS } from '../../shared/dates.ts'
import { isSame } from '../lib/secrets.ts'

/** How far the time of a delivery may be off, either way. */
const TOLERANCE_MS = 5 * MINUTE_MS
/** Zoom's last retry comes 85 minutes after the first try, and may bear the first one's time. */
const LAST_RETRY_MS = 2 * HOUR_MS

interface Delivery {
  signature: unknown
  timestamp: unknown // seconds, unlike the event's own time
  body: Buffer
}

/**
 * Null for a wrong signature or one that is too old. 'earlier' is a late retry, to be accepted only for an event that has
 * not come before. Over the raw bytes: parsed and serialized again, they could differ.
 */
export function verifySignature(
  secret: string,
  { signature, timestamp, body }: Delivery,
  now: number,
): 'now' | 'earlier' | null {
  if (typeof signature !== 'string' || typeof timestamp !== 'string' || !/^\d{1,12}$/.test(timestamp)) return null
  const age = now - Number(timestamp) * 1000
  if (age < -TOLERANCE_MS || age > LAST_RETRY_MS) return null
  const expected = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest('hex')
  if (!isSame(`v0=${expected}`, signature)) return null
  return age <= TOLERANCE_MS ? 'now' : 'earlier'
}

/** Zoom validates the endpoint when its address is saved, and every three days after. */
export function validationAnswer(secret: string, plainToken: string) {
  return { plainToken, encryptedToken: createHmac('sha256', secret).update(plainToken).digest('hex') }
}
