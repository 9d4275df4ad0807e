import type { MasterLogin, MasterUser } from '../../../shared/auth.ts'
import { normaliseForComparison } from '../../../shared/normalise.ts'
import type { Caller } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import type { Db } from '../../db/client.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { randomToken } from '../../lib/secrets.ts'
import { removeFirstMaster } from './first-master-file.ts'
import { hashPassword } from './passwords.ts'
import { insertSession, TOO_MANY_SESSIONS_END } from './session-rows.ts'

/** Creates the first master: the configured one, or one with a generated password, which is returned. */
export async function ensureMaster({ db, config }: Deps): Promise<{ email: string; password: string } | null> {
  if (!(await isEmptyDatabase(db))) return null
  const email = config.MASTER_EMAIL ?? 'master@parley.example'
  const password = config.MASTER_PASSWORD ?? randomToken(15)
  const created = await db
    .insertInto('masters')
    .values({ email, email_key: normaliseForComparison(email), password_hash: await hashPassword(password) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst() // undefined if another server was quicker
  return created && !config.MASTER_PASSWORD ? { email, password } : null
}

export async function isEmptyDatabase(db: Db): Promise<boolean> {
  return !(await db.selectFrom('masters').select('id').limit(1).executeTakeFirst())
}

export async function loginMaster(
  deps: Deps,
  by: Caller,
  { email, password }: MasterLogin,
): Promise<{ token: string; user: MasterUser }> {
  const account = `master ${normaliseForComparison(email)}`
  const { master, isRight } = await deps.loginThrottle.guess(account, by.ip, async (turn) => {
    const found = await deps.db
      .selectFrom('masters')
      .selectAll()
      .where('email_key', '=', normaliseForComparison(email))
      .executeTakeFirst()
    return { master: found, isRight: await deps.passwords.isRight(password, found?.password_hash ?? null, turn) }
  })
  if (!isRight || !master) {
    await deps.refusedCalls.audit(by, { action: 'master_login_failed', target: master?.id ?? null })
    throw wrongCredentials()
  }
  const { token, ended } = await deps.db.transaction().execute(async (tx) => {
    const { id, password_hash } = master
    const isCurrent = tx.selectFrom('masters').where('id', '=', id).where('password_hash', '=', password_hash)
    if (!(await isCurrent.select('id').forNoKeyUpdate().executeTakeFirst())) throw wrongCredentials()
    await audit(deps, tx, { ...by, role: 'master', id }, { action: 'master_login', target: id })
    const who = { role: 'master' as const, master_id: id, host_id: null, room_user_id: null, user_agent: by.user_agent }
    const { row, sign } = deps.sessions.prepare(who, by.ip)
    const sid = await insertSession(tx, row)
    const ended = await deps.sessions.endRows(
      tx,
      { longest_unused_beside: sid, of: { role: 'master', id } },
      TOO_MANY_SESSIONS_END,
    )
    return { token: await sign(sid), ended }
  })
  deps.sessions.forget(ended, TOO_MANY_SESSIONS_END)
  await deps.loginThrottle.remember(account, by.ip)
  await removeFirstMaster(deps.config)
  return { token, user: masterUser(master) }
}

function wrongCredentials(): AppError {
  return new AppError('wrong_credentials', 'Invalid email or password')
}

export async function findMaster({ db }: Deps, id: string): Promise<MasterUser> {
  const master = await db.selectFrom('masters').selectAll().where('id', '=', id).executeTakeFirst()
  if (!master) throw new AppError('not_signed_in', 'Please sign in again.')
  return masterUser(master)
}

function masterUser({ id, email, full_name }: { id: string; email: string; full_name: string | null }): MasterUser {
  return { id, email, username: email, full_name, role: 'master' }
}
