import { site } from '../../lib/site.ts'

/** Opens the phone app at the host's room. The link holds no secret: it may be printed, and passed on. */
export function phoneLink(hostId: string): string {
  return `${site.phone_url}/?host=${encodeURIComponent(hostId)}`
}
