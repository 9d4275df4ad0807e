import { normaliseHostId } from './host-id.ts'

export type Invitation = { hostId: string; linkToken: string }

export function hostIdInAddress(location: Pick<Location, 'search'> = window.location): string {
  return normaliseHostId(new URLSearchParams(location.search).get('host') ?? '')
}

/** Removes the token of a one-time link from the address, so that nobody copies it from there or comes back to it. */
export function takeInvitation(location: Location = window.location, history: History = window.history) {
  const linkToken = new URLSearchParams(location.hash.slice(1)).get('link')
  if (!linkToken) return null
  history.replaceState(null, '', location.pathname + location.search)
  return { hostId: hostIdInAddress(location), linkToken }
}
