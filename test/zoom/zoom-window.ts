import { vi } from 'vitest'
import {
  errorOutcome,
  errorText,
  type ReturnOutcome,
  returnOutcome,
} from '../../web/features/oauth-return/return-outcome.ts'
import { followCallback, type ZoomServer } from './emulated-zoom.ts'
import { consentAt } from './zoom-over-http.ts'

/** Replaces the window that a page opens for Zoom, without a browser: the test performs its actions. */
export interface ZoomWindow {
  closed: boolean
  /** Answers Zoom's consent as the account with this email. */
  consent(email: string, action?: 'allow' | 'deny'): Promise<ReturnOutcome>
  /** Answers it, and reports the outcome to the page like the return page. */
  answer(email: string, action?: 'allow' | 'deny'): Promise<void>
}

/** Replaces the window that the page opens next. */
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
      return pathname === '/oauth-error' ? errorOutcome('', errorText(searchParams)) : returnOutcome(searchParams)
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
