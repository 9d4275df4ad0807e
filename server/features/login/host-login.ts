import { sql } from 'kysely'
import type { AssistantUser, HostLogin } from '../../../shared/auth.ts'
import type { Host } from '../../../shared/hosts.ts'
import { normaliseForComparison } from '../../../shared/normalise.ts'
import type { Caller } from '../../db/actor.ts'
import { auditRow } from '../../db/audit-log.ts'
import type { Tx } from '../../db/client.ts'
import type { Deps } from '../../deps.ts'
import { findAssistantByLoginName } from '../assistants/find-assistant.ts'
import { TOO_MANY_SESSIONS_END } from '../auth/session-rows.ts'
import type { NewSessionRow } from '../auth/sessions.ts'
import { findHost } from '../hosts/hosts.ts'
import { needSecondFactor } from '../second-factor/challenges.ts'
import { hasSecondFactor, ownsFactor } from '../second-factor/factors.ts'
import { auditFailedLogin, signInAssistant } from './assistant-login.ts'
import { subscriptionCancelled, wrongCredentials } from './refusals.ts'

/**
 * Signs in a host, or an assistant by NAME@HOSTNAME, where no host has exactly that name. Gives the reason for a refusal
 * only after the right password.
 */
export async function loginHost(
  deps: Deps,
  by: Caller,
  { username, password }: HostLogin,
  rpId: string,
): Promise<{ token: string; user: Host | AssistantUser }> {
  const account = `host ${normaliseForComparison(username)}`
  const { host, assistant, isRight } = await deps.loginThrottle.guess(account, by.ip, async (turn) => {
    const host = await findByName(deps, username)
    const assistant = host ? undefined : await findAssistantByLoginName(deps.db, username)
    const { password_hash = null } = host ?? assistant ?? {}
    return { host, assistant, isRight: await deps.passwords.isRight(password, password_hash, turn) }
  })
  if (assistant && isRight) {
    const signedIn = await signInAssistant(deps, by, assistant, rpId)
    await deps.loginThrottle.remember(account, by.ip)
    return signedIn
  }
  if (assistant) {
    await auditFailedLogin(deps, by, assistant)
    throw wrongCredentials()
  }
  if (!isRight || !host) {
    const host_id = host?.id ?? null // not the typed name, which may be a misplaced password
    await deps.refusedCalls.audit(by, { host_id, action: 'host_login_failed', target: host_id })
    throw wrongCredentials()
  }
  const of = { role: 'host' as const, id: host.id }
  const secondStep = { account: { ...of, host_id: host.id }, password_hash: host.password_hash, rpId }
  const who = {
    role: 'host' as const,
    master_id: null,
    host_id: host.id,
    room_user_id: null,
    user_agent: by.user_agent,
  }
  const { row, sign } = deps.sessions.prepare(who, by.ip)
  const actor = { ...by, ...of, host_id: host.id }
  const { sid, ended } = await deps.db.transaction().execute(async (tx) => {
    const opened = await signIn(deps, tx, actor, host.password_hash, row)
    if (!opened) return { sid: null, ended: [] }
    return {
      sid: opened,
      ended: await deps.sessions.endRows(tx, { longest_unused_beside: opened, of }, TOO_MANY_SESSIONS_END),
    }
  })
  deps.sessions.forget(ended, TOO_MANY_SESSIONS_END)
  if (!sid) {
    const now = await findByName(deps, username)
    if (now?.id !== host.id || now.password_hash !== host.password_hash) throw wrongCredentials()
    if (!now.subscription_cancelled_at && (await hasSecondFactor(deps.db, of)))
      throw await needSecondFactor(deps, secondStep)
    const after = { code: 'subscription_cancelled' }
    await deps.refusedCalls.audit(actor, { action: 'host_login_refused', target: host.id, after })
    throw subscriptionCancelled()
  }
  await deps.loginThrottle.remember(account, by.ip)
  return { token: await sign(sid), user: await findHost(deps, host.id) }
}

/**
 * Returns the id of the new session; null if the password does not suffice, or the host has changed while it was hashed.
 * One statement, which locks the host first as `lockHost` does, until the oldest session has ended: separate statements
 * kept database and server busy for half as long again as the password's hash.
 */
async function signIn(
  deps: Deps,
  tx: Tx,
  by: Caller & { id: string },
  password_hash: string,
  { ip, user_agent, created_at, expires_at }: NewSessionRow,
): Promise<string | null> {
  const { id } = by
  const entry = Object.entries(auditRow(deps, by, { action: 'host_login', target: id }))
  const { rows } = await sql<{ id: string }>`
    with host as (
      update hosts set login_time = ${created_at}, last_login_ip = ${ip}
      where id = ${id} and password_hash = ${password_hash} and deleted_at is null and subscription_cancelled_at is null
        and not ${ownsFactor({ role: 'host' }, sql.ref('hosts.id'))}
      returning id
    ), audited as (
      insert into audit (${sql.join(entry.map(([column]) => sql.ref(column)))})
      select ${sql.join(entry.map(([, value]) => value))} from host
    )
    insert into sessions (role, host_id, ip, user_agent, created_at, last_active_at, expires_at, confirmed_at)
    select 'host', id, ${ip}, ${user_agent ?? null}, ${created_at}, ${created_at}, ${expires_at}, ${created_at} from host
    returning id`.execute(tx)
  return rows[0]?.id ?? null
}

function findByName({ db }: Deps, username: string) {
  return db
    .selectFrom('hosts')
    .selectAll()
    .where('username_key', '=', normaliseForComparison(username))
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}
