import { z } from 'zod'
import type { HostActor } from '../../db/actor.ts'
import type { Deps } from '../../deps.ts'

export const MediaKind = z.enum(['play', 'download'])
export type MediaKind = z.infer<typeof MediaKind>

export const MediaQuery = z.object({
  kind: MediaKind,
  session: z.string().max(64).describe('The session that requested the link.'),
  expires: z
    .string()
    .regex(/^\d{1,12}$/)
    .describe('Seconds since 1970.'),
  signature: z.string().max(100),
})

const HOUR_SECONDS = 3600
/** Links of the same ten minutes are equal, so that a reload of the list does not interrupt the player. */
const STEP_SECONDS = 600

const signedText = (
  id: string,
  hostId: string,
  { kind, session, expires }: Omit<z.infer<typeof MediaQuery>, 'signature'>,
) => [id, hostId, kind, session, expires].join(' ')

/** Returns a signed URL on this server, valid for up to an hour while the host's session lasts. */
export function mediaLink(
  { secrets, now }: Deps,
  id: string,
  { host_id, session_id }: HostActor,
  kind: MediaKind,
): string {
  const end = now() / 1000 + HOUR_SECONDS
  const expires = String(Math.floor(end / STEP_SECONDS) * STEP_SECONDS)
  const link = { kind, session: session_id, expires }
  const signature = `${host_id}.${secrets.sign('recording-links', signedText(id, host_id, link))}`
  return `/api/recordings/media/${id}?${new URLSearchParams({ ...link, signature })}`
}

/** Returns the host whose link this is; null if its signature is wrong. Needs no database, because anybody can ask. */
export function hostOfLink(
  { secrets }: Deps,
  id: string,
  { signature, ...link }: z.infer<typeof MediaQuery>,
): string | null {
  const [hostId = '', signed = ''] = signature.split('.')
  return secrets.verify('recording-links', signedText(id, hostId, link), signed) ? hostId : null
}

export function isLinkExpired({ now }: Deps, { expires }: z.infer<typeof MediaQuery>): boolean {
  return now() >= Number(expires) * 1000
}
