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
 * Marks the current call as done in the transaction of its effect. Throws, which rolls the effect back, if the call was
 * assumed interrupted and has been repeated.
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
  if (!row) throw new AppError('conflict', 'This call took too long and has been repeated.')
}
