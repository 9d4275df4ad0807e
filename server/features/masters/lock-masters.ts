import type { Tx } from '../../db/client.ts'

/** Returns all masters. Of two transactions that change who is one, the second begins when the first has ended. */
export function lockMasters(tx: Tx) {
  return tx
    .selectFrom('masters')
    .select(['id', 'email', 'email_key'])
    .where('removed_at', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}
