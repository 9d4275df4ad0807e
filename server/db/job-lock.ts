import { sql } from 'kysely'
import type { Db, Tx } from './client.ts'

/**
 * Runs one step of a job in a transaction; returns null if another node runs the same job now. The lock ends with the
 * transaction, so a node that dies in the middle leaves neither a lock nor half a step.
 */
export async function withJobLock<T>(db: Db, job: string, step: (tx: Tx) => Promise<T>): Promise<T | null> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{
      is_locked: boolean
    }>`select pg_try_advisory_xact_lock(hashtext(${`parley ${job}`})) as is_locked`.execute(tx)
    return rows[0]?.is_locked ? step(tx) : null
  })
}
