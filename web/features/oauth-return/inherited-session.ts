import { clearSession } from '../../lib/session/session.ts'
import { isConsentWindow, type PopupWindow } from './popup-report.ts'

const RETURN_PAGES = ['/oauth-success', '/oauth-error']

export function isReturnPage(pathname: string): boolean {
  return RETURN_PAGES.includes(pathname.replace(/\/+$/, ''))
}

/** A popup gets a copy of its opener's session storage; the return pages do not need a master's token. */
export function dropInheritedSession(page: PopupWindow) {
  if (isReturnPage(page.location.pathname) && isConsentWindow(page)) clearSession()
}
