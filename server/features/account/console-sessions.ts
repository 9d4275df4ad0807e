import type { AccountSession } from '../../../shared/account.ts'
import { audit } from '../../db/audit-log.ts'
import { lockConsoleAccount } from '../../db/lock-host.ts'
import type { Deps } from '../../deps.ts'
import { AppError, notFound } from '../../errors.ts'
import { findConsoleSessions } from '../auth/session-rows.ts'
import type { AccountOwner } from './accounts.ts'
import { deviceName } from './device-name.ts'

const END = 'ended'

/** Lists the sessions that would be admitted now, the newest first. */
export async function listSessions({ db, now }: Deps, by: AccountOwner): Promise<AccountSession[]> {
  const rows = await findConsoleSessions(db, by, now())
  return rows.map(({ id, user_agent, ip, created_at, last_active_at, expires_at }) => ({
    id,
    device: deviceName(user_agent),
    ip,
    signed_in_at: created_at.toISOString(),
    last_active_at: last_active_at.toISOString(),
    expires_at: expires_at.toISOString(),
    is_current: id === by.session_id,
  }))
}

export async function endSession(deps: Deps, by: AccountOwner, id: string): Promise<void> {
  const { db, sessions, now } = deps
  if (id === by.session_id)
    throw new AppError('conflict', 'This is the session that you are using. Use Log out to end it.')
  const isOwn = (await findConsoleSessions(db, by, now())).some((session) => session.id === id)
  const ended = isOwn
    ? await db.transaction().execute(async (tx) => {
        await lockConsoleAccount(tx, by)
        const ended = await sessions.endRows(tx, { session_id: id }, END)
        if (ended.length > 0) await audit(deps, tx, by, { action: 'session_ended', target: id })
        return ended
      })
    : []
  if (ended.length === 0) throw notFound('Session')
  sessions.forget(ended, END)
}

/** Returns how many sessions it ended. */
export async function endOtherSessions(deps: Deps, by: AccountOwner): Promise<number> {
  const { db, sessions } = deps
  const ended = await db.transaction().execute(async (tx) => {
    await lockConsoleAccount(tx, by)
    const ended = await sessions.endRows(tx, { all_but: by.session_id, of: by }, END)
    const after = { sessions_ended: ended.length }
    if (ended.length > 0) await audit(deps, tx, by, { action: 'sessions_ended', target: by.id, after })
    return ended
  })
  sessions.forget(ended, END)
  return ended.length
}
