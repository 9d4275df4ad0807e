import { createHmac } from 'node:crypto'

/** Signs an event like Zoom, over its raw bytes and the second of sending. */
export function webhookHeaders(body: string, secret: string, at: number): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000))
  return {
    'content-type': 'application/json; charset=utf-8',
    'x-zm-signature': `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`,
    'x-zm-request-timestamp': timestamp,
  }
}
