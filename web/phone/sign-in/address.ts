import { normaliseHostId } from './host-id.ts'

export type LinkParams = { hostId: string; linkToken: string }

export function hostIdInAddress(location: Pick<Location, 'search'> = window.location): string {
  return normaliseHostId(new URLSearchParams(location.search).get('host') ?? '')
}

/** Removes a one-time link's token from the address, so that nobody can copy it or return to it. */
export function takeLinkParams(location: Location = window.location, history: History = window.history) {
  const linkToken = new URLSearchParams(location.hash.slice(1)).get('link')
  if (!linkToken) return null
  history.replaceState(null, '', location.pathname + location.search)
  return { hostId: hostIdInAddress(location), linkToken }
}
