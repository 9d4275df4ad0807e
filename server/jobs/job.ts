import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../db/client.ts'
import { withJobLock } from '../db/job-lock.ts'
import type { Leases } from '../db/leases.ts'
import type { Tables } from '../db/tables.ts'
import type { Deps } from '../deps.ts'

export interface Job {
  name: string
  every: number // ms
  /** Runs in parallel to the others, which would otherwise wait for it. */
  isLong?: true
  leases?: Pick<Leases<keyof Tables>, 'releaseStale'>
  /** Returns how much was done. Ends after the current step once the signal aborts. */
  run(deps: Deps, signal?: AbortSignal): Promise<number>
}

/** Few enough for the statement timeout, even on a busy database. */
export const ROWS_AT_ONCE = 1_000

/** Deletes rows in steps, each in a transaction of its own. */
export function clearingJob(name: string, every: number, step: (deps: Deps, tx: Tx) => Promise<number>): Job {
  return {
    name,
    every,
    async run(deps, signal) {
      let total = 0
      while (!signal?.aborted) {
        const count = await withJobLock(deps.db, name, (tx) => step(deps, tx))
        total += count ?? 0
        if (count === null || count < ROWS_AT_ONCE) break
      }
      return total
    },
  }
}

/** Repeats the condition, because a row may change between the search and the deletion. */
export async function deleteOld(tx: Tx, table: string, isOld: RawBuilder<unknown>): Promise<number> {
  const from = sql.table(table)
  const found = sql`select ctid from ${from} where (${isOld}) limit ${sql.lit(ROWS_AT_ONCE)}`
  const { numAffectedRows } = await sql`delete from ${from} where ctid in (${found}) and (${isOld})`.execute(tx)
  return Number(numAffectedRows ?? 0)
}
