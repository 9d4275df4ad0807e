import type { OAuthMessage } from '../../../shared/oauth.ts'
import { OAUTH_CHANNEL, POPUP_NAME } from '../../../shared/oauth-popup.ts'
import { openChannel } from '../../lib/open-channel.ts'

const CLOSE_AFTER_MS = 400

export type PopupWindow = Pick<Window, 'name'> & {
  opener: unknown
  location: Pick<Location, 'pathname' | 'search' | 'hash'>
  document?: Pick<Document, 'referrer'>
}

/** Merges the parameters of the query and the hash: Zoom and the server may use either. */
export function returnParams({ search, hash }: Pick<Location, 'search' | 'hash'>): URLSearchParams {
  const params = new URLSearchParams(hash.replace(/^#\??/, ''))
  for (const [name, value] of new URLSearchParams(search)) params.set(name, value)
  return params
}

/** True in the window that was opened for Zoom's consent, and for an address that claims to be in it. */
export function isPopup(page: PopupWindow): boolean {
  return returnParams(page.location).get('popup') === 'true' || isConsentWindow(page)
}

/** True in the window that was opened for Zoom's consent, judged only by properties that a link cannot set. */
export function isConsentWindow({ opener, name }: PopupWindow): boolean {
  return Boolean(opener) || name === POPUP_NAME
}

/** True if Zoom redirected here. The page then reports like a popup, and continues by itself if it cannot be closed. */
export function comesFromZoom({ document }: PopupWindow, zoomOrigin: string): boolean {
  return zoomOrigin !== '' && Boolean(document?.referrer.startsWith(`${zoomOrigin}/`))
}

/** The part of `Window` that is needed to report and to close. */
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

/** Reports to the page that waits for this window, brings it to the front, and closes. */
export function reportAndClose(message: OAuthMessage, page: Popup, masterOrigin: string) {
  const { opener } = page
  if (opener && !opener.closed) {
    // Only a page for masters waits for Zoom, on this site or on the master site.
    opener.postMessage(message, isSameOrigin(opener, page) ? page.location.origin : masterOrigin)
    opener.focus()
  } else {
    // The window may have lost its opener on the way through Zoom.
    const channel = openChannel(OAUTH_CHANNEL)
    channel?.postMessage(message)
    channel?.close()
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
