import { createHmac } from 'node:crypto'
import { HOUR_MS, MINUTE_MS } from '../../shared/dates.ts'
import { isSameSecret } from '../lib/secrets.ts'

/** The largest difference, either way, between a delivery's time and ours. */
const TOLERANCE_MS = 5 * MINUTE_MS
/** Zoom's last retry comes 85 minutes after the first try, and may carry the first one's time. */
const LAST_RETRY_MS = 2 * HOUR_MS

interface SignedDelivery {
  signature: unknown
  timestamp: unknown // seconds, unlike the event's own time
  body: Buffer
}

/** Tells before the body is read whether its signature can be right. */
export function hasPlausibleSignature({ signature, timestamp }: Omit<SignedDelivery, 'body'>, now: number): boolean {
  if (typeof signature !== 'string' || !/^v0=[0-9a-f]{64}$/.test(signature)) return false
  if (typeof timestamp !== 'string' || !/^\d{1,12}$/.test(timestamp)) return false
  const age = now - Number(timestamp) * 1000
  return age >= -TOLERANCE_MS && age <= LAST_RETRY_MS
}

/**
 * Returns null for a signature that is wrong or too old; 'earlier' for a late retry, which is acceptable only if the
 * event is new. Checks the raw bytes, because parsing and serializing could change them.
 */
export function verifySignature(
  secret: string,
  { signature, timestamp, body }: SignedDelivery,
  now: number,
): 'now' | 'earlier' | null {
  if (!hasPlausibleSignature({ signature, timestamp }, now)) return null
  const age = now - Number(timestamp) * 1000
  const expected = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest('hex')
  if (!isSameSecret(`v0=${expected}`, `${signature}`)) return null
  return age <= TOLERANCE_MS ? 'now' : 'earlier'
}

/** Answers Zoom's validation of the endpoint, which comes when its URL is saved, and every three days after that. */
export function validationAnswer(secret: string, plainToken: string) {
  return { plainToken, encryptedToken: createHmac('sha256', secret).update(plainToken).digest('hex') }
}
