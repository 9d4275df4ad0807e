import type { AuditAction } from '../../shared/audit.ts'
import type { Clock } from '../lib/clock.ts'
import type { Actor } from './actor.ts'
import type { Db, Tx } from './client.ts'
import { recordEffect } from './idempotent-call.ts'
import { requireOpenSession } from './open-session.ts'

export interface NewAuditEntry {
  id?: string
  /** The host whose room it concerns, unless it is that of the actor. */
  host_id?: string | null
  action: AuditAction
  target?: string | null
  before?: object | undefined
  after?: object | undefined
}

/**
 * Call in the transaction of the change itself. Throws if the actor's session has ended since the call was admitted.
 * Hides secrets in `before` and `after`.
 */
export async function audit(deps: { now: Clock }, db: Db | Tx, by: Actor, entry: NewAuditEntry): Promise<void> {
  await auditAll(deps, db, by, [entry])
}

/** Does the same for several entries by one statement. */
export async function auditAll(
  deps: { now: Clock },
  db: Db | Tx,
  by: Actor,
  entries: readonly NewAuditEntry[],
): Promise<void> {
  if (entries.length === 0) return
  if (by.session_id && db.isTransaction) await requireOpenSession(db, by.session_id)
  await recordEffect(db)
  await db
    .insertInto('audit')
    .values(entries.map((entry) => auditRow(deps, by, entry)))
    .execute()
}

/** Builds the row for statements that insert it together with the change. */
export function auditRow({ now }: { now: Clock }, by: Actor, { before, after, ...entry }: NewAuditEntry) {
  const { role, id, host_id, ip, acts_as, command } = by
  const actor = { actor_role: role, actor_id: id, host_id, ip }
  const state = role === 'assistant' && acts_as ? { ...after, role: acts_as } : after
  const done = command === undefined ? state : { ...state, command }
  return { ...actor, ...entry, at: new Date(now()), before: asJson(before), after: asJson(done) }
}

/** Matches secret fields. A flag such as `true` for a password that was set stays visible. */
const SECRET = /password|passcode|token|secret|ciphertext|hash/i

function asJson(state: object | undefined): string | null {
  if (state === undefined) return null
  return JSON.stringify(state, (key, value: unknown) =>
    SECRET.test(key) && (typeof value === 'string' || typeof value === 'number') ? '[hidden]' : value,
  )
}
