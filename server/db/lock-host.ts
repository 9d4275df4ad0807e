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

/** Does the same for the account whose console sessions are opened or ended. A master's row stays readable for audits. */
export function lockConsoleAccount(tx: Tx, { role, id }: { role: 'master' | 'host'; id: string }) {
  if (role === 'host') return lockHost(tx, id)
  return tx.selectFrom('masters').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}
