import type { AuditAction, AuditActorRole } from '../../shared/audit.ts'
import type { Clock } from '../lib/clock.ts'
import type { Db, Tx } from './client.ts'
import { recordEffect } from './idempotent-call.ts'
import { requireOpenSession } from './open-session.ts'

export interface AuditActor {
  actor_role: AuditActorRole
  actor_id?: string | null
  ip?: string | null
  /** The console's session. If it has ended, the act is refused. */
  session_id?: string | undefined
}

export interface AuditEntry extends AuditActor {
  id?: string
  host_id?: string | null // the host whose room it concerns
  action: AuditAction
  target?: string | null
  before?: object | undefined
  after?: object | undefined
}

export const BY_SYSTEM: AuditActor = { actor_role: 'system' }

export function byHost({ host_id, session }: { host_id: string; session: { id: string } }, ip: string) {
  return { actor_role: 'host' as const, actor_id: host_id, host_id, ip, session_id: session.id }
}

/** Omit the session for consequences of a committed act, and if there is none. */
export function byMaster({ master_id, session }: { master_id: string; session?: { id: string } }, ip: string) {
  return { actor_role: 'master' as const, actor_id: master_id, ip, session_id: session?.id }
}

/**
 * Call in the transaction of the change itself. Throws if the actor's session has ended since the call was admitted.
 * Hides secrets in `before` and `after`.
 */
export async function audit(deps: { now: Clock }, db: Db | Tx, entry: AuditEntry): Promise<void> {
  if (entry.session_id && db.isTransaction) await requireOpenSession(db, entry.session_id)
  await recordEffect(db)
  await db.insertInto('audit').values(auditRow(deps, entry)).execute()
}

/** Builds the row for statements that insert it together with the change. */
export function auditRow({ now }: { now: Clock }, { before, after, session_id: _, ...rest }: AuditEntry) {
  return { ...rest, at: new Date(now()), before: asJson(before), after: asJson(after) }
}

/** Matches secret fields. A flag such as `true` for a password that was set stays visible. */
const SECRET = /password|passcode|token|secret|ciphertext|hash/i

function asJson(state: object | undefined): string | null {
  if (state === undefined) return null
  return JSON.stringify(state, (key, value: unknown) =>
    SECRET.test(key) && (typeof value === 'string' || typeof value === 'number') ? '[hidden]' : value,
  )
}
