import { sql } from 'kysely'
import type { Secrets } from '../lib/secrets.ts'
import type { Db, Tx } from './client.ts'
import { NotUsableYet } from './data-dir-marks.ts'

type KeyName = Pick<Secrets, 'id'>

/** Notes the key under which all secrets are from now on. Call in the transaction that encrypts them. */
export async function recordKey(tx: Db | Tx, { id }: KeyName): Promise<void> {
  await tx.updateTable('installation').set({ key_id: id }).execute()
}

/**
 * Throws NotUsableYet where the database was put under another key, and changes nothing. Call before it is migrated: under
 * the key from before, sessions and secrets of one server would be of no use to the others.
 */
export async function requireOwnKey(db: Db | Tx, { id }: KeyName, isSetting: boolean): Promise<void> {
  const found = await sql<{ is_there: boolean }>`select to_regclass('installation') is not null as is_there`.execute(db)
  if (!found.rows[0]?.is_there) return
  // As JSON, since the column may not be there yet.
  const { rows } = await sql<{ key_id: string | null }>`
    select to_jsonb(installation) ->> 'key_id' as key_id from installation`.execute(db)
  const keyId = rows[0]?.key_id ?? null
  if (keyId === null || keyId === id) return
  throw new NotUsableYet(
    isSetting
      ? 'SECRET_KEY is not the key of this database any more; set the one that npm run rotate-key printed, or that it was restored with, on every server.'
      : 'DATA_DIR/secret.key is not the key of this database any more; put back the one that npm run rotate-key made, or that it was restored with.',
  )
}
