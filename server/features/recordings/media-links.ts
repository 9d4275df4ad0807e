import { z } from 'zod'
import type { HostActor, PhoneActor } from '../../db/actor.ts'
import type { Deps } from '../../deps.ts'

const ConsoleKind = z.enum(['play', 'download'])
const PhoneKind = z.literal('listen') // while the recording is shared with the room's users
export const MediaKind = z.union([ConsoleKind, PhoneKind])
export type MediaKind = z.infer<typeof MediaKind>

const SignedLink = z.object({
  session: z.string().max(64).describe('The session that requested the link.'),
  expires: z
    .string()
    .regex(/^\d{1,12}$/)
    .describe('Seconds since 1970.'),
  signature: z.string().max(100),
})
export const MediaQuery = SignedLink.extend({ kind: ConsoleKind })
export const PhoneMediaQuery = SignedLink.extend({ kind: PhoneKind })
export type SignedLink = z.infer<typeof MediaQuery> | z.infer<typeof PhoneMediaQuery>

const HOUR_SECONDS = 3600
/** Links of the same ten minutes are equal, so that a reload of the list does not interrupt the player. */
const STEP_SECONDS = 600

const signedText = (id: string, hostId: string, { kind, session, expires }: Omit<SignedLink, 'signature'>) =>
  [id, hostId, kind, session, expires].join(' ')

/** Returns a signed URL on this server, valid for up to an hour while the session that asked for it lasts. */
export function mediaLink(
  { secrets, now }: Deps,
  id: string,
  { host_id, session_id }: Pick<HostActor | PhoneActor, 'host_id' | 'session_id'>,
  kind: MediaKind,
): string {
  const end = now() / 1000 + HOUR_SECONDS
  const expires = String(Math.floor(end / STEP_SECONDS) * STEP_SECONDS)
  const link = { kind, session: session_id, expires }
  const signature = `${host_id}.${secrets.sign('recording-links', signedText(id, host_id, link))}`
  const folder = kind === 'listen' ? '/api/mobile/recordings' : '/api/recordings' // the phone site answers no others
  return `${folder}/media/${id}?${new URLSearchParams({ ...link, signature })}`
}

/** Returns the host whose link this is; null if its signature is wrong. Needs no database, because anybody can ask. */
export function hostOfLink({ secrets }: Deps, id: string, { signature, ...link }: SignedLink): string | null {
  const [hostId = '', signed = ''] = signature.split('.')
  return secrets.verify('recording-links', signedText(id, hostId, link), signed) ? hostId : null
}

export function isLinkExpired({ now }: Deps, { expires }: SignedLink): boolean {
  return now() >= Number(expires) * 1000
}
