import { sql } from 'kysely'
import type { MasterLogin, MasterUser } from '../../../shared/auth.ts'
import { normaliseForComparison } from '../../../shared/normalise.ts'
import type { Caller } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { removeFirstMaster } from '../auth/first-master-file.ts'
import { masterUser } from '../auth/masters.ts'
import { insertSession, TOO_MANY_SESSIONS_END } from '../auth/session-rows.ts'
import { needSecondFactor } from '../second-factor/challenges.ts'
import { hasSecondFactor, ownsFactor } from '../second-factor/factors.ts'

export async function loginMaster(
  deps: Deps,
  by: Caller,
  { email, password }: MasterLogin,
  rpId: string,
): Promise<{ token: string; user: MasterUser }> {
  const account = `master ${normaliseForComparison(email)}`
  const { master, isRight } = await deps.loginThrottle.guess(account, by.ip, async (turn) => {
    const found = await deps.db
      .selectFrom('masters')
      .selectAll()
      .select(ownsFactor({ role: 'master' }, sql.ref('masters.id')).as('has_second_factor'))
      .where('email_key', '=', normaliseForComparison(email))
      .where('removed_at', 'is', null)
      .executeTakeFirst()
    return { master: found, isRight: await deps.passwords.isRight(password, found?.password_hash ?? null, turn) }
  })
  if (!isRight || !master) {
    await deps.refusedCalls.audit(by, { action: 'master_login_failed', target: master?.id ?? null })
    throw wrongCredentials()
  }
  const { id, password_hash } = master
  const of = { role: 'master' as const, id }
  const secondStep = { account: { ...of, host_id: null }, password_hash, rpId }
  if (master.has_second_factor) throw await needSecondFactor(deps, secondStep)
  const opened = await deps.db.transaction().execute(async (tx) => {
    const isCurrent = tx
      .selectFrom('masters')
      .select('id')
      .where('id', '=', id)
      .where('password_hash', '=', password_hash)
      .where('removed_at', 'is', null)
      .forNoKeyUpdate()
    if (!(await isCurrent.executeTakeFirst())) throw wrongCredentials()
    if (await hasSecondFactor(tx, of)) return null // it was added while the password was being checked
    await audit(deps, tx, { ...by, ...of }, { action: 'master_login', target: id })
    const who = { role: 'master' as const, master_id: id, host_id: null, room_user_id: null, user_agent: by.user_agent }
    const { row, sign } = deps.sessions.prepare(who, by.ip)
    const sid = await insertSession(tx, row)
    const ended = await deps.sessions.endRows(tx, { longest_unused_beside: sid, of }, TOO_MANY_SESSIONS_END)
    return { token: await sign(sid), ended }
  })
  if (!opened) throw await needSecondFactor(deps, secondStep)
  deps.sessions.forget(opened.ended, TOO_MANY_SESSIONS_END)
  await deps.loginThrottle.remember(account, by.ip)
  await removeFirstMaster(deps.config)
  return { token: opened.token, user: masterUser(master) }
}

function wrongCredentials(): AppError {
  return new AppError('wrong_credentials', 'Invalid email or password')
}
