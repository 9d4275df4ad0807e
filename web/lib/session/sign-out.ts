import { endSessionAtServer } from './end-session.ts'
import { clearSession, notifyOtherTabs } from './session.ts'

/** Ends the session here at once and at the server; other tabs are notified after that. */
export function signOut() {
  const ended = endSessionAtServer()
  clearSession({ left: true })
  // Best effort: the token is gone from this tab, and expires at the server.
  ended.then(notifyOtherTabs, notifyOtherTabs)
}
