import { endSessionAtServer } from './end-session.ts'
import { clearSession, notifyOtherTabs } from './session.ts'

/** Ends the session in this tab immediately, then at the server, and notifies other tabs. */
export function signOut() {
  const ended = endSessionAtServer()
  clearSession({ left: true })
  // Best effort: the token is gone from this tab, and expires at the server.
  ended.then(notifyOtherTabs, notifyOtherTabs)
}
