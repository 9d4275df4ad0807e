import type { HostLogin } from '../../../shared/auth.ts'
import type { Host } from '../../../shared/hosts.ts'
import { comparable } from '../../../shared/normalise.ts'
import { statusAt } from '../../../shared/subscription-dates.ts'
import { audit } from '../../db/audit-log.ts'
import { lockHost } from '../../db/lock-host.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { findHost } from '../hosts/hosts.ts'

/** Gives the reason for a refusal only after the right password. */
export async function loginHost(
  deps: Deps,
  { username, password }: HostLogin,
  ip: string,
): Promise<{ token: string; user: Host }> {
  const account = `host ${comparable(username)}`
  const { host, isRight } = await deps.loginThrottle.guess(account, ip, async () => {
    const found = await findByName(deps, username)
    return { host: found, isRight: await deps.passwords.isRight(password, found?.password_hash ?? null) }
  })
  if (!isRight || !host) {
    const host_id = host?.id ?? null // never the typed name, which may be a password in the wrong field
    await audit(deps, deps.db, { actor_role: 'nobody', host_id, action: 'host_login_failed', target: host_id, ip })
    throw wrongCredentials()
  }
  const by = { actor_role: 'host' as const, actor_id: host.id, host_id: host.id, ip }
  const token = await deps.db.transaction().execute(async (tx) => {
    const now = new Date(deps.now())
    const current = await lockHost(tx, host.id) // it may have changed while the password was hashed
    if (!current || current.deleted_at || current.password_hash !== host.password_hash) throw wrongCredentials()
    if (statusAt(current, now) === 'cancelled') {
      const after = { code: 'subscription_cancelled' }
      await audit(deps, tx, { ...by, action: 'host_login_refused', target: host.id, after })
      return null
    }
    await tx.updateTable('hosts').set({ login_time: now, last_login_ip: ip }).where('id', '=', host.id).execute()
    await audit(deps, tx, { ...by, action: 'host_login', target: host.id })
    const who = { role: 'host' as const, master_id: null, host_id: host.id, room_user_id: null }
    return deps.sessions.open(tx, who, ip)
  })
  if (!token) {
    throw new AppError(
      'subscription_cancelled',
      'Your subscription has been cancelled. Please contact your administrator.',
    )
  }
  return { token, user: await findHost(deps, host.id) }
}

function wrongCredentials(): AppError {
  return new AppError('wrong_credentials', 'Invalid username or password')
}

function findByName({ db }: Deps, username: string) {
  return db
    .selectFrom('hosts')
    .selectAll()
    .where('username_key', '=', comparable(username))
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}
