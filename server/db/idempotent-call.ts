import { AsyncLocalStorage } from 'node:async_hooks'
import { AppError } from '../errors.ts'
import type { Db, Tx } from './client.ts'

/** The first call with its Idempotency-Key. */
export interface FirstCall {
  scope: string
  key: string
  claim: string
  isAnswered: boolean
}

export const currentCall = new AsyncLocalStorage<FirstCall>()

/**
 * Writes, in the transaction of an effect, that the call under way has had it. A call that was taken for cut off, and
 * carried out again, is too late: it throws, and its effect is rolled back.
 */
export async function recordEffect(db: Db | Tx): Promise<void> {
  const call = currentCall.getStore()
  if (!call || call.isAnswered) return
  const { scope, key, claim } = call
  const row = await db
    .updateTable('idempotency_keys')
    .set({ has_effect: true })
    .where('scope', '=', scope)
    .where('key', '=', key)
    .where('claim', '=', claim)
    .returning('key')
    .executeTakeFirst()
  if (!row) throw new AppError('conflict', 'This call took too long, and was repeated meanwhile.')
}

/** One statement is a transaction by itself, unless the call under way has to be recorded with it. */
export function recordWith(db: Db, write: (db: Db | Tx) => Promise<unknown>): Promise<unknown> {
  if (!currentCall.getStore()) return write(db)
  return db.transaction().execute(async (tx) => {
    await recordEffect(tx)
    await write(tx)
  })
}
