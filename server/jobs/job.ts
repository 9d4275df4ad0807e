import type { Tx } from '../db.ts'
import type { Deps } from '../deps.ts'
import { onOneNode } from './on-one-node.ts'

export interface Job {
  name: string
  every: number // ms
  /** Returns how much there was to do. Asks between its steps whether the server is stopping. */
  run(deps: Deps, isStopping?: () => boolean): Promise<number>
}

/** A step's rows: few enough for the time that a statement has, even on a busy database. */
export const ROWS_AT_ONCE = 1_000

/** A job that takes rows away, so many at a time, each time in a transaction of its own. */
export function clearingJob(name: string, every: number, step: (deps: Deps, tx: Tx) => Promise<number>): Job {
  return {
    name,
    every,
    async run(deps, isStopping = () => false) {
      let total = 0
      while (!isStopping()) {
        const count = await onOneNode(deps.db, name, (tx) => step(deps, tx))
        total += count ?? 0
        if (count === null || count < ROWS_AT_ONCE) break
      }
      return total
    },
  }
}
