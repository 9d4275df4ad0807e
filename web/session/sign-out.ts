import { Done } from '../../shared/envelope.ts'
import { api, forgetAnswers } from '../api.ts'
import { queryClient } from '../query-client.ts'
import { clearSession, currentSession, tellOtherTabs } from './session.ts'

/** Ends the session here at once and at the server; other tabs hear of it when the server has ended it. */
export function signOut() {
  const { user } = currentSession()
  const path = user?.role === 'master' ? '/auth/logout' : '/auth/host/logout'
  const ended = api(Done, 'POST', path, undefined, { keepalive: true })
  clearSession({ left: true })
  forgetAnswers()
  queryClient.clear()
  // A failure leaves nothing to do: the token is gone from here, and ends by itself at the server.
  ended.then(tellOtherTabs, tellOtherTabs)
}
