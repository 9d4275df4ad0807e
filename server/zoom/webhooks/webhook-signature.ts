import { createHmac } from 'node:crypto'
import { isSame } from '../../secrets.ts'

/** How far the time of a delivery may be off, either way. */
const WINDOW_MS = 5 * 60_000

interface Delivery {
  signature: unknown
  timestamp: unknown // seconds, unlike the event's own time
  body: Buffer
}

/** Whether Zoom signed these very bytes, just now. Read as text and written again, they would not be the same ones. */
export function isSignedByZoom(secret: string, { signature, timestamp, body }: Delivery, now: number): boolean {
  if (typeof signature !== 'string' || typeof timestamp !== 'string' || !/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(now - Number(timestamp) * 1000) > WINDOW_MS) return false
  const expected = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest('hex')
  return isSame(`v0=${expected}`, signature)
}

/** The proof that we know the secret, which Zoom asks for when the address is saved and every three days after. */
export function validationAnswer(secret: string, plainToken: string) {
  return { plainToken, encryptedToken: createHmac('sha256', secret).update(plainToken).digest('hex') }
}
