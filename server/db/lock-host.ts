import type { Tx } from './client.ts'

/**
 * Every transaction that opens or ends sessions of a host takes this lock first, so that they cannot deadlock and a
 * sign-in sees every change before it.
 */
export function lockHost(tx: Tx, id: string) {
  return tx.selectFrom('hosts').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

/** Takes a shared lock, for transactions that only read the row. */
export function lockHostShared(tx: Tx, id: string) {
  return tx.selectFrom('hosts').selectAll().where('id', '=', id).forShare().executeTakeFirst()
}
