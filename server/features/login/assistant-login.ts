import type { AssistantRole, AssistantUser } from '../../../shared/auth.ts'
import type { Caller } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import type { Tx } from '../../db/client.ts'
import { lockHost } from '../../db/lock-host.ts'
import type { Deps } from '../../deps.ts'
import { type AssistantRow, assistantUser, findAssistant } from '../assistants/find-assistant.ts'
import { insertSession, type Session, TOO_MANY_SESSIONS_END } from '../auth/session-rows.ts'
import { needSecondFactor } from '../second-factor/challenges.ts'
import { hasSecondFactor } from '../second-factor/factors.ts'
import { subscriptionCancelled, wrongCredentials } from './refusals.ts'

const FAILED = 'assistant_login_failed'

export async function auditFailedLogin(deps: Deps, by: Caller, { id, host_id }: AssistantRow): Promise<void> {
  await deps.refusedCalls.audit(by, { host_id, action: FAILED, target: id })
}

/** Signs an assistant in whose password was right, unless its host is cancelled or it has changed meanwhile. */
export async function signInAssistant(
  deps: Deps,
  by: Caller,
  { id, host_id, password_hash, role: acts_as }: AssistantRow,
  rpId: string,
): Promise<{ token: string; user: AssistantUser }> {
  const { db, sessions } = deps
  const actor = { ...by, role: 'assistant' as const, id, host_id, acts_as }
  const signedIn = await db.transaction().execute(async (tx) => {
    const host = await lockHost(tx, host_id)
    const assistant = await tx
      .selectFrom('assistants')
      .select('role')
      .where('id', '=', id)
      .where('password_hash', '=', password_hash)
      .where('removed_at', 'is', null)
      .executeTakeFirst()
    if (!host || host.deleted_at || !assistant) throw wrongCredentials()
    if (host.subscription_cancelled_at) return 'cancelled'
    if (await hasSecondFactor(tx, { role: 'assistant', id })) return 'second factor'
    const { role } = assistant
    await audit(deps, tx, { ...actor, acts_as: role }, { action: 'assistant_login', target: id })
    return openAssistantSession(deps, tx, by, { id, role, host_id })
  })
  if (signedIn === 'second factor')
    throw await needSecondFactor(deps, { account: actor, password_hash: password_hash ?? '', rpId })
  if (signedIn === 'cancelled') {
    const after = { code: 'subscription_cancelled' }
    await deps.refusedCalls.audit(actor, { action: FAILED, target: id, after })
    throw subscriptionCancelled()
  }
  sessions.forget(signedIn.ended, TOO_MANY_SESSIONS_END)
  return { token: signedIn.token, user: assistantUser(await findAssistant(db, id)) }
}

interface NewAssistantSession {
  id: string
  role: AssistantRole
  host_id: string
  second_factor_at?: number
}

/** Call under a lock of the host. */
export async function openAssistantSession(
  { sessions, now }: Deps,
  tx: Tx,
  by: Caller,
  { id, role, host_id, second_factor_at }: NewAssistantSession,
): Promise<{ token: string; ended: Session[] }> {
  await tx
    .updateTable('assistants')
    .set({ login_time: new Date(now()) })
    .where('id', '=', id)
    .execute()
  const who = { role, master_id: null, host_id, room_user_id: null, assistant_id: id, user_agent: by.user_agent }
  const { row, sign } = sessions.prepare({ ...who, second_factor_at }, by.ip)
  const sid = await insertSession(tx, row)
  const of = { role: 'assistant' as const, id }
  const ended = await sessions.endRows(tx, { longest_unused_beside: sid, of }, TOO_MANY_SESSIONS_END)
  return { token: await sign(sid), ended }
}
