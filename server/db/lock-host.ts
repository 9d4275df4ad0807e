import type { Tx } from './client.ts'

/**
 * Locks the row of a host until the transaction ends. Every transaction that opens or ends sessions of a host does this
 * before anything else: they then wait for each other in one order, and a sign-in sees whatever came before it.
 */
export function lockHost(tx: Tx, id: string) {
  return tx.selectFrom('hosts').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

/** The same, side by side with others that only read the row. */
export function shareHost(tx: Tx, id: string) {
  return tx.selectFrom('hosts').selectAll().where('id', '=', id).forShare().executeTakeFirst()
}
