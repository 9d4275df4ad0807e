import { audit } from '../../db/audit-log.ts'
import { lockHost } from '../../db/lock-host.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import type { Session } from '../auth/session-rows.ts'

/**
 * Exchanges a token that came in a URL, where others may have read it, for a new session. Works once, and within a
 * minute of the sign-in.
 */
export async function claimSession(deps: Deps, session: Session, ip: string): Promise<string> {
  requireHandOver(deps, session)
  const { role, master_id, host_id } = session
  const owner = master_id ?? host_id
  const action = master_id ? 'master_handed_over' : 'host_handed_over'
  const { token, ended } = await deps.db.transaction().execute(async (tx) => {
    if (host_id) await lockHost(tx, host_id)
    const replaced = await deps.sessions.replace(tx, session, ip)
    if (!replaced) throw noHandOver()
    await audit(deps, tx, { actor_role: role, actor_id: owner, host_id, action, target: owner, ip })
    return replaced
  })
  deps.sessions.forget(ended, 'handed_over')
  return token
}

export function requireHandOver({ sessions }: Deps, session: Session): void {
  if (!sessions.mayBeHandedOver(session)) throw noHandOver()
}

function noHandOver(): AppError {
  return new AppError('not_signed_in', 'This sign-in link is not valid any more. Please sign in again.')
}
