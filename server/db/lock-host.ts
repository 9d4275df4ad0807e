import type { Tx } from './client.ts'

/**
 * Every transaction that opens or ends sessions of a host takes this lock first, so that they cannot deadlock and a
 * sign-in sees every change before it.
 */
export function lockHost(tx: Tx, id: string) {
  return tx.selectFrom('hosts').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

interface LockedAccount {
  role: 'master' | 'host' | 'assistant'
  id: string
  /** Null for masters. */
  host_id: string | null
}

/** Takes a shared lock, for transactions that only read the row. */
export function lockHostShared(tx: Tx, id: string) {
  return tx.selectFrom('hosts').selectAll().where('id', '=', id).forShare().executeTakeFirst()
}

/**
 * Does the same for the account whose console sessions are opened or ended: an assistant's are its host's. A master's
 * row stays readable for audits.
 */
export function lockConsoleAccount(tx: Tx, { role, id, host_id }: LockedAccount) {
  if (role !== 'master') return lockHost(tx, host_id ?? id)
  const master = tx.selectFrom('masters').select('id').where('id', '=', id).where('removed_at', 'is', null)
  return master.forNoKeyUpdate().executeTakeFirst()
}
