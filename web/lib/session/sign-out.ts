import { queryClient } from '../query-client.ts'
import { endSessionAtServer } from './end-session.ts'
import { clearSession, tellOtherTabs } from './session.ts'

/** Ends the session here at once and at the server; other tabs hear of it when the server has ended it. */
export function signOut() {
  const ended = endSessionAtServer()
  clearSession({ left: true })
  queryClient.clear()
  // A failure leaves nothing to do: the token is gone from here, and ends by itself at the server.
  ended.then(tellOtherTabs, tellOtherTabs)
}
