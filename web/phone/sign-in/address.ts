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

/** Returns the id of the recording to which the address leads; null if it leads to none. It is no secret. */
export function recordingInAddress({ hash }: Pick<Location, 'hash'> = window.location): string | null {
  return new URLSearchParams(hash.slice(1)).get('recording')
}

export function removeRecordingFromAddress(): void {
  if (recordingInAddress() === null) return
  window.history.replaceState(null, '', window.location.pathname + window.location.search)
}
