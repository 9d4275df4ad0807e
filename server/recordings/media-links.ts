import { z } from 'zod'
import type { Deps } from '../deps.ts'

export const MediaKind = z.enum(['play', 'download'])
export type MediaKind = z.infer<typeof MediaKind>

export const MediaQuery = z.object({
  kind: MediaKind,
  expires: z.string().regex(/^\d{1,12}$/),
  signature: z.string().max(100),
})

const HOUR_SECONDS = 3600
/** Links made within these ten minutes are the same, so that a list read anew does not interrupt the player. */
const STEP_SECONDS = 600

const signed = (id: string, hostId: string, kind: MediaKind, expires: string) => [id, hostId, kind, expires].join(' ')

/** The address, on this server, under which a recording can be heard for up to an hour by whoever holds it. */
export function mediaLink({ secrets, now }: Deps, id: string, hostId: string, kind: MediaKind): string {
  const end = now() / 1000 + HOUR_SECONDS
  const expires = String(Math.floor(end / STEP_SECONDS) * STEP_SECONDS)
  const signature = secrets.sign('recording-links', signed(id, hostId, kind, expires))
  return `/api/recordings/media/${id}?${new URLSearchParams({ kind, expires, signature })}`
}

export function isOurLink(
  { secrets }: Deps,
  id: string,
  hostId: string,
  { kind, expires, signature }: z.infer<typeof MediaQuery>,
): boolean {
  return secrets.verify('recording-links', signed(id, hostId, kind, expires), signature)
}

export function isOverdue({ now }: Deps, { expires }: z.infer<typeof MediaQuery>): boolean {
  return now() >= Number(expires) * 1000
}
