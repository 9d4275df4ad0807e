import { clearSession } from '../session/session.ts'
import { isPopup, type PopupClues } from './popup-report.ts'

const RETURN_PAGES = ['/oauth-success', '/oauth-error']

/** A popup gets a copy of its opener's session storage; the return pages have no use for a master's token. */
export function dropInheritedSession(page: PopupClues) {
  if (RETURN_PAGES.includes(page.location.pathname.replace(/\/$/, '')) && isPopup(page)) clearSession()
}
