import { sql } from 'kysely'
import type { Db, Tx } from './client.ts'

/**
 * Does one step of a job in a transaction, unless another node is at the same job now: then null. The lock goes with
 * the transaction, so a node that dies in the middle leaves neither a lock nor half a step.
 */
export async function onOneNode<T>(db: Db, job: string, step: (tx: Tx) => Promise<T>): Promise<T | null> {
  return db.transaction().execute(async (tx) => {
    const key = `parley ${job}`
    const { rows } = await sql<{
      is_ours: boolean
    }>`select pg_try_advisory_xact_lock(hashtext(${key})) as is_ours`.execute(tx)
    return rows[0]?.is_ours ? step(tx) : null
  })
}
