import type { OAuthMessage } from '../../../shared/oauth.ts'
import { OAUTH_CHANNEL, POPUP_NAME } from '../../../shared/oauth-popup.ts'

const CLOSE_AFTER_MS = 400

export type PopupClues = Pick<Window, 'name'> & {
  opener: unknown
  location: Pick<Location, 'pathname' | 'search' | 'hash'>
  document?: Pick<Document, 'referrer'>
}

/** The address's parameters, from its query and from its hash: Zoom and the server may use either. */
export function returnParams({ search, hash }: Pick<Location, 'search' | 'hash'>): URLSearchParams {
  const params = new URLSearchParams(hash.replace(/^#\??/, ''))
  for (const [name, value] of new URLSearchParams(search)) params.set(name, value)
  return params
}

/** Whether this page runs in the window that was opened for Zoom's consent, or may do so by its address. */
export function isPopup(page: PopupClues): boolean {
  return returnParams(page.location).get('popup') === 'true' || isConsentWindow(page)
}

/** As `isPopup`, by what no link can say. */
export function isConsentWindow({ opener, name }: PopupClues): boolean {
  return Boolean(opener) || name === POPUP_NAME
}

/** A page that comes straight from Zoom reports like a popup, and goes on by itself where it cannot be closed. */
export function comesFromZoom({ document }: PopupClues, zoomOrigin: string): boolean {
  return zoomOrigin !== '' && Boolean(document?.referrer.startsWith(`${zoomOrigin}/`))
}

/** So much of the window as it takes to report and to close. */
type Popup = {
  opener: Opener | null
  location: Pick<Location, 'origin'>
  setTimeout: (act: () => void, ms: number) => unknown
  close: () => void
}
type Opener = Pick<Window, 'closed' | 'focus'> & {
  location: Pick<Location, 'origin'>
  postMessage: (message: OAuthMessage, targetOrigin: string) => void
}

/** Tells the page that waits for this window, brings it to the front, and closes. */
export function reportAndClose(message: OAuthMessage, page: Popup, masterOrigin: string) {
  const { opener } = page
  if (opener && !opener.closed) {
    // Only a master's page waits for Zoom: this site's own, or the master site's.
    opener.postMessage(message, isSameOrigin(opener, page) ? page.location.origin : masterOrigin)
    opener.focus()
  } else {
    // On the way through Zoom the window may have lost its opener.
    const channel = new BroadcastChannel(OAUTH_CHANNEL)
    channel.postMessage(message)
    channel.close()
  }
  page.setTimeout(() => page.close(), CLOSE_AFTER_MS)
}

function isSameOrigin(opener: Opener, page: Popup): boolean {
  try {
    return opener.location.origin === page.location.origin
  } catch {
    return false
  }
}
