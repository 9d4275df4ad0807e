import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Zoom } from './zoom.ts'

/** Authorises a page's calls. Its participant's UUID does not, since everybody in the meeting sees that. */
export function participantToken(zoom: Zoom, uuid: string): string {
  return `${uuid}.${signatureOf(zoom, uuid)}`
}

/** Returns the UUID of the token's participant, or null for a token that was not issued here. */
export function participantOfToken(zoom: Zoom, token: string): string | null {
  const [uuid = '', signature = ''] = token.split('.')
  const [given, wanted] = [Buffer.from(signature), Buffer.from(signatureOf(zoom, uuid))]
  return given.length === wanted.length && timingSafeEqual(given, wanted) ? uuid : null
}

function signatureOf(zoom: Zoom, uuid: string) {
  return createHmac('sha256', zoom.linkKey).update(`participant ${uuid}`).digest('base64url')
}
