import { send } from '../send.ts'
import { currentSession, type SessionState } from './session.ts'

/** `keepalive` lets the call outlive the page. */
export function endSessionAtServer({ token, user }: SessionState = currentSession()): Promise<unknown> {
  const path = user?.role === 'host' ? '/auth/host/logout' : '/auth/logout'
  return send('POST', path, undefined, { keepalive: true, ...(token && { token }) })
}
