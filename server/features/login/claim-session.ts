import { type Caller, regardlessOfSession } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import { lockConsoleAccount } from '../../db/lock-host.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { roleNotAllowed, type SignedIn } from '../auth/guards.ts'
import type { Session } from '../auth/session-rows.ts'

/**
 * Exchanges a token that came in a URL, where others may have read it, for a new session. Works once, and within a
 * minute of the sign-in; who knows the key can repeat it.
 */
export async function claimSession(
  deps: Deps,
  by: SignedIn & Pick<Caller, 'user_agent'>,
  session: Session,
  key: string | null,
): Promise<string> {
  requireHandOver(deps, session)
  if (by.role === 'phone') throw roleNotAllowed()
  const { role } = by
  const { token, ended } = await deps.db.transaction().execute(async (tx) => {
    await lockConsoleAccount(tx, { ...by, role })
    const replaced = await deps.sessions.replace(tx, session, by, key)
    if (!replaced) throw noHandOver()
    await audit(deps, tx, regardlessOfSession(by), { action: `${role}_handed_over`, target: by.id })
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
