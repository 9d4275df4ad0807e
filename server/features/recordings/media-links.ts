import { z } from 'zod'
import type { Deps } from '../../deps.ts'
import type { SignedInHost } from '../auth/guards.ts'

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
/** Links made within these ten minutes are the same, so that a list read anew does not interrupt the player. */
const STEP_SECONDS = 600

const signed = (
  id: string,
  hostId: string,
  { kind, session, expires }: Omit<z.infer<typeof MediaQuery>, 'signature'>,
) => [id, hostId, kind, session, expires].join(' ')

/**
 * The address, on this server, under which a recording can be heard for up to an hour by whoever holds it, as long as
 * the session lives that it was made for.
 */
export function mediaLink(
  { secrets, now }: Deps,
  id: string,
  { host_id, session }: SignedInHost,
  kind: MediaKind,
): string {
  const end = now() / 1000 + HOUR_SECONDS
  const expires = String(Math.floor(end / STEP_SECONDS) * STEP_SECONDS)
  const link = { kind, session: session.id, expires }
  const signature = secrets.sign('recording-links', signed(id, host_id, link))
  return `/api/recordings/media/${id}?${new URLSearchParams({ ...link, signature })}`
}

export function isOurLink(
  { secrets }: Deps,
  id: string,
  hostId: string,
  { signature, ...link }: z.infer<typeof MediaQuery>,
): boolean {
  return secrets.verify('recording-links', signed(id, hostId, link), signature)
}

export function isOverdue({ now }: Deps, { expires }: z.infer<typeof MediaQuery>): boolean {
  return now() >= Number(expires) * 1000
}
