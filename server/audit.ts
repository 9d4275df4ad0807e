import type { Db, Tx } from './db.ts'
import type { Deps } from './deps.ts'

export interface AuditEntry {
  actor_role: 'master' | 'host' | 'phone' | 'nobody' | 'system'
  actor_id?: string | null
  host_id?: string | null
  action: string
  target?: string | null
  ip?: string | null
  before?: unknown
  after?: unknown
}

/** Writes down what was done; inside a transaction, with that. Never a password or a token. */
export async function audit(deps: Deps, db: Db | Tx, entry: AuditEntry): Promise<void> {
  const { before, after, ...rest } = entry
  await db
    .insertInto('audit')
    .values({
      ...rest,
      at: new Date(deps.now()),
      before: before === undefined ? null : JSON.stringify(before),
      after: after === undefined ? null : JSON.stringify(after),
    })
    .execute()
}
