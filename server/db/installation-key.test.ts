import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase } from '../../test/servers/database.ts'
import { secretsFrom } from '../lib/secrets.ts'
import type { Db } from './client.ts'
import { NotUsableYet } from './data-dir-marks.ts'
import { recordKey, requireOwnKey } from './installation-key.ts'

let db: Db
beforeAll(async () => {
  db = await freshDatabase()
})
afterAll(() => db.destroy())

const [own, other] = [secretsFrom('a'.repeat(32)), secretsFrom('b'.repeat(32))]

test('takes any key until one is noted, then that one alone', async () => {
  await requireOwnKey(db, other, true)
  await recordKey(db, own)
  await requireOwnKey(db, own, true)
  const setting = requireOwnKey(db, other, true)
  await expect(setting).rejects.toThrow(NotUsableYet)
  await expect(setting).rejects.toThrow(/^SECRET_KEY is not the key of this database any more; .* on every server\.$/)
  await expect(requireOwnKey(db, other, false)).rejects.toThrow(/^DATA_DIR\/secret\.key is not the key .* put back /)
})

test('takes any key where there is no table yet, or no column', async () => {
  await db
    .transaction()
    .execute(async (tx) => {
      await recordKey(tx, own)
      await tx.schema.alterTable('installation').dropColumn('key_id').execute()
      await requireOwnKey(tx, other, true)
      await tx.schema.dropTable('installation').execute()
      await requireOwnKey(tx, other, true)
      throw new Error('rolled back')
    })
    .catch((error: Error) => expect(error.message).toBe('rolled back'))
})
