import { OAuthMessage } from '../../../shared/oauth.ts'
import { OAUTH_CHANNEL, POPUP_NAME } from '../../../shared/oauth-popup.ts'

const WIDTH = 600
const HEIGHT = 700

export const ADD_TIMEOUT_MS = 5 * 60_000
export const EDIT_TIMEOUT_MS = 2 * 60_000
const LOOK_EVERY_MS = 500
/** A popup's last words may still be under way when it already reports itself closed. */
const LAST_WORDS_MS = 3000

type Opener = Pick<Window, 'open' | 'screenX' | 'screenY' | 'outerWidth' | 'outerHeight'>

/** Opens the empty window at once, within the click, else the browser blocks it. Null when it did. */
export function openZoomPopup(opener: Opener): Window | null {
  const left = Math.round(opener.screenX + (opener.outerWidth - WIDTH) / 2)
  const top = Math.round(opener.screenY + (opener.outerHeight - HEIGHT) / 2)
  return opener.open('about:blank', POPUP_NAME, `popup,width=${WIDTH},height=${HEIGHT},left=${left},top=${top}`)
}

/** The address that the server gave, if a window of ours may go there: a script address would run as our page. */
export function safeAddress(address: string): string | null {
  const url = URL.parse(address)
  return url && ['https:', 'http:'].includes(url.protocol) ? url.href : null
}

type Hears = Pick<EventTarget, 'addEventListener' | 'removeEventListener'>

export type PopupWatch = {
  popup: Pick<Window, 'closed' | 'close'>
  /** The page's window, where the popup's message arrives. */
  page: Hears
  /** The broadcast channel, for a popup that has lost its opener on the way through Zoom. */
  channel: Hears
  /** Who may speak: our own sites, and the provider. */
  origins: readonly string[]
  timeoutMs: number
  /** The popup says that it worked, under this id. Only a hint: the server is to be asked. */
  onResult: (resultId: string) => void
  onError: (message: string) => void
  /** The window is gone and has said nothing. A late word is still heard until the time is up. */
  onClosed: () => void
  onTimeout: () => void
}

/** Listens for what the popup reports until it is told to stop, or until the time is up. */
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
    if (!id) return // nothing that the server could confirm
    clearTimeout(closedAt)
    watch.onResult(id)
  }

  const looking = setInterval(() => {
    if (!popup.closed) return
    clearInterval(looking)
    closedAt = setTimeout(watch.onClosed, LAST_WORDS_MS)
  }, LOOK_EVERY_MS)

  const limit = setTimeout(() => {
    stop()
    popup.close()
    watch.onTimeout()
  }, watch.timeoutMs)

  function stop() {
    clearInterval(looking)
    clearTimeout(closedAt)
    clearTimeout(limit)
    page.removeEventListener('message', handleMessage)
    channel.removeEventListener('message', handleMessage)
  }

  page.addEventListener('message', handleMessage)
  channel.addEventListener('message', handleMessage)
  return stop
}

export function openOAuthChannel(): BroadcastChannel {
  return new BroadcastChannel(OAUTH_CHANNEL)
}
