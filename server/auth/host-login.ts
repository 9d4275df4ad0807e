import type { HostLogin } from '../../shared/auth.ts'
import type { Host } from '../../shared/hosts.ts'
import { comparable } from '../../shared/normalise.ts'
import { statusAt } from '../../shared/subscription-dates.ts'
import { audit } from '../audit/audit.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { findHost } from '../hosts/hosts.ts'
import type { LoginThrottle } from './login-throttle.ts'
import { isPassword } from './passwords.ts'

/** Signs a host in to the console. Why it is refused is told only after the right password. */
export async function loginHost(
  deps: Deps,
  throttle: LoginThrottle,
  { username, password }: HostLogin,
  ip: string,
): Promise<{ token: string; user: Host }> {
  const account = `host ${comparable(username)}`
  const { host, isRight } = await throttle.guess(account, ip, async () => {
    const found = await findByName(deps, username)
    return { host: found, isRight: await isPassword(password, found?.password_hash ?? null) }
  })
  if (!isRight || !host) {
    const host_id = host?.id ?? null // never the name that was typed: it may be a password in the wrong field
    await audit(deps, deps.db, { actor_role: 'nobody', host_id, action: 'host_login_failed', target: host_id, ip })
    throw new AppError('wrong_credentials', 'Invalid username or password')
  }
  const now = new Date(deps.now())
  const by = { actor_role: 'host' as const, actor_id: host.id, host_id: host.id, ip }
  if (statusAt(host, now) === 'cancelled') {
    const after = { code: 'subscription_cancelled' }
    await audit(deps, deps.db, { ...by, action: 'host_login_refused', target: host.id, after })
    throw new AppError(
      'subscription_cancelled',
      'Your subscription has been cancelled. Please contact your administrator.',
    )
  }
  const token = await deps.db.transaction().execute(async (tx) => {
    await tx.updateTable('hosts').set({ login_time: now, last_login_ip: ip }).where('id', '=', host.id).execute()
    await audit(deps, tx, { ...by, action: 'host_login', target: host.id })
    const who = { role: 'host' as const, master_id: null, host_id: host.id, room_user_id: null }
    return deps.sessions.open(tx, who, ip)
  })
  return { token, user: await findHost(deps, host.id) }
}

function findByName({ db }: Deps, username: string) {
  return db
    .selectFrom('hosts')
    .selectAll()
    .where('username_key', '=', comparable(username))
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}
