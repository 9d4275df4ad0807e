import { send } from '../send.ts'
import { currentSession } from './session.ts'

/** Ends the present session at the server, even if the page goes away meanwhile. */
export function endSessionAtServer(): Promise<unknown> {
  const { user } = currentSession()
  const path = user?.role === 'master' ? '/auth/logout' : '/auth/host/logout'
  return send('POST', path, undefined, { keepalive: true })
}
