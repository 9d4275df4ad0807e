import { VerifyAnswer } from '../../shared/auth.ts'
import { ApiError, api } from '../api.ts'
import { clearSession, currentSession, holdSession, keepSession, keepToken, onOtherTabChange } from './session.ts'

const TRIES = 3
const BETWEEN_TRIES_MS = 1000

/** Moves a token that was handed over in the address into the session, and out of the address. */
export function takeTokenFromAddress(location: Location, history: History) {
  const address = new URL(location.href)
  const token = address.searchParams.get('auth_token')
  if (!token) return
  address.searchParams.delete('auth_token')
  history.replaceState(history.state, '', address)
  keepToken(token)
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Asks the server who the stored token belongs to. Only the server's refusal ends the session, never its silence. */
export async function verifySession(): Promise<void> {
  const { token } = currentSession()
  if (!token) return
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    try {
      const { user } = await api(VerifyAnswer, 'POST', '/auth/verify', {})
      if (currentSession().token === token) keepSession(token, user)
      return
    } catch (error) {
      if (currentSession().token !== token) return
      const refused = error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429
      if (refused) return clearSession()
      if (attempt < TRIES) await wait(BETWEEN_TRIES_MS)
    }
  }
  if (currentSession().token === token && currentSession().status !== 'signed-in') holdSession()
}

/** Verifies what is stored, now and whenever another tab says that something about sign-in changed. */
export function startSession() {
  takeTokenFromAddress(window.location, window.history)
  onOtherTabChange(() => void verifySession())
  return verifySession()
}
