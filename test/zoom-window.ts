import { vi } from 'vitest'
import { errorText, failure, type ReturnOutcome, returnOutcome } from '../web/features/oauth-return/return-outcome.ts'
import { followCallback, type ZoomServer } from './emulated-zoom.ts'
import { consentAt } from './zoom-over-http.ts'

/** The window that a page opens for Zoom, without a browser: what happens in it is done by the test. */
export interface ZoomWindow {
  closed: boolean
  /** Answers Zoom's question as the account with this e-mail. */
  consent(email: string, action?: 'allow' | 'deny'): Promise<ReturnOutcome>
  /** The same, and reports the outcome to the page as the page of return does. */
  answer(email: string, action?: 'allow' | 'deny'): Promise<void>
}

/** Takes the place of the window that the page opens next. */
export function openZoomWindow(server: ZoomServer): ZoomWindow {
  const address = Promise.withResolvers<string>()
  const zoomWindow = {
    closed: false,
    close: () => {
      zoomWindow.closed = true
    },
    location: { replace: address.resolve },
    async consent(email: string, action: 'allow' | 'deny' = 'allow') {
      const back = await consentAt(server.zoom, await address.promise, email, action)
      const { pathname, searchParams } = await followCallback(server, back)
      return pathname === '/oauth-error' ? failure('', errorText(searchParams)) : returnOutcome(searchParams)
    },
    async answer(email: string, action: 'allow' | 'deny' = 'allow') {
      const { message } = await zoomWindow.consent(email, action)
      window.dispatchEvent(new MessageEvent('message', { origin: window.location.origin, data: message }))
      zoomWindow.close()
    },
  }
  vi.stubGlobal('open', () => zoomWindow)
  return zoomWindow
}
