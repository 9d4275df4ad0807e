import { OAuthMessage } from '../../../../shared/oauth.ts'
import { OAUTH_CHANNEL, POPUP_NAME } from '../../../../shared/oauth-popup.ts'
import { openChannel } from '../../../lib/open-channel.ts'

const WIDTH = 600
const HEIGHT = 700

export const ADD_TIMEOUT_MS = 5 * 60_000
export const EDIT_TIMEOUT_MS = 2 * 60_000
const POLL_MS = 250
/** Milliseconds for which a message may arrive after the popup already counts as closed. */
const CLOSE_GRACE_MS = 500

type Opener = Pick<Window, 'open' | 'screenX' | 'screenY' | 'outerWidth' | 'outerHeight'>

/** Opens an empty window within the click, else the browser blocks it; null if it was blocked. */
export function openZoomPopup(opener: Opener): Window | null {
  const left = Math.round(opener.screenX + (opener.outerWidth - WIDTH) / 2)
  const top = Math.round(opener.screenY + (opener.outerHeight - HEIGHT) / 2)
  return opener.open('about:blank', POPUP_NAME, `popup,width=${WIDTH},height=${HEIGHT},left=${left},top=${top}`)
}

/** Accepts only http(s): a javascript: URL would run as our page. */
export function safeAddress(address: string): string | null {
  const url = URL.parse(address)
  return url && ['https:', 'http:'].includes(url.protocol) ? url.href : null
}

type MessageTarget = Pick<EventTarget, 'addEventListener' | 'removeEventListener'>

export type PopupWatch = {
  popup: Pick<Window, 'closed' | 'close'>
  /** The page's own window. */
  page: MessageTarget
  /** The channel of a popup that lost its opener at Zoom. */
  channel: MessageTarget | null
  /** Origins of accepted messages: our own sites and Zoom. */
  origins: readonly string[]
  timeoutMs: number
  /** Called with an id that the server still has to confirm. */
  onResult: (resultId: string) => void
  onError: (message: string) => void
  /** Called when the window was closed without a message; one that arrives later still counts until the timeout. */
  onClosed: () => void
  onTimeout: () => void
}

/** Watches the popup until the returned function is called, or until the timeout. */
export function watchZoomPopup(watch: PopupWatch): () => void {
  const { popup, page, channel, origins } = watch
  let closedAt: ReturnType<typeof setTimeout> | undefined

  function handleMessage(event: Event) {
    if (!(event instanceof MessageEvent) || !origins.includes(event.origin)) return
    const read = OAuthMessage.safeParse(event.data)
    if (!read.success) return
    if (read.data.type === 'ZOOM_OAUTH_ERROR') {
      stop()
      watch.onError(`OAuth failed: ${read.data.data.error_message || 'Unknown error'}`)
      return
    }
    const id = read.data.data.oauth_result_id
    if (!id) return // the server could confirm nothing
    clearTimeout(closedAt)
    watch.onResult(id)
  }

  const closedCheck = setInterval(() => {
    if (!popup.closed) return
    clearInterval(closedCheck)
    closedAt = setTimeout(watch.onClosed, CLOSE_GRACE_MS)
  }, POLL_MS)

  const limit = setTimeout(() => {
    stop()
    popup.close()
    watch.onTimeout()
  }, watch.timeoutMs)

  function stop() {
    clearInterval(closedCheck)
    clearTimeout(closedAt)
    clearTimeout(limit)
    page.removeEventListener('message', handleMessage)
    channel?.removeEventListener('message', handleMessage)
  }

  page.addEventListener('message', handleMessage)
  channel?.addEventListener('message', handleMessage)
  return stop
}

export const openOAuthChannel = () => openChannel(OAUTH_CHANNEL)
