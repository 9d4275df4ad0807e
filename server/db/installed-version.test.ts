import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { freshDatabase } from '../../test/servers/database.ts'
import type { Db } from './client.ts'
import {
  compareVersions,
  OlderDatabase,
  readInstalledVersion,
  recordVersion,
  requireUpdatable,
} from './installed-version.ts'

let db: Db
beforeAll(async () => {
  db = await freshDatabase()
})
afterAll(() => db.destroy())

const row = () =>
  db.selectFrom('installation').select(['version', 'previous_version', 'updated_at']).executeTakeFirstOrThrow()

test('keeps the release that used the database last, and the one before', async () => {
  await sql`update installation set version = null, previous_version = null, updated_at = null`.execute(db)
  expect(await readInstalledVersion(db)).toBeNull()
  const [first, second] = [new Date('2026-11-24T10:00:00Z'), new Date('2026-12-24T10:00:00Z')]
  await recordVersion(db, first, '0.1.0')
  expect(await row()).toEqual({ version: '0.1.0', previous_version: null, updated_at: first })
  await Promise.all([recordVersion(db, second, '0.2.0'), recordVersion(db, second, '0.2.0')])
  expect(await row()).toEqual({ version: '0.2.0', previous_version: '0.1.0', updated_at: second })
  await recordVersion(db, new Date('2026-12-25T10:00:00Z'), '0.2.0')
  expect(await row()).toEqual({ version: '0.2.0', previous_version: '0.1.0', updated_at: second })
  await recordVersion(db, second)
  expect(await readInstalledVersion(db)).toBe(packageJson.version)
})

test('refuses a database that is too old for this release, and leaves it as it is', async () => {
  await recordVersion(db, new Date('2026-11-24T10:00:00Z'), '0.1.0')
  const before = await row()
  const update = requireUpdatable(db, '0.2', '0.3.0')
  await expect(update).rejects.toThrow(OlderDatabase)
  await expect(update).rejects.toThrow('This database was last used by Parley 0.1.0; install 0.2 first, then 0.3.0.')
  expect(await row()).toEqual(before)
  await requireUpdatable(db, '0.1.0', '0.3.0')
  await requireUpdatable(db)
})

test('reads a database whose release did not write its version, and an empty one', async () => {
  await db
    .transaction()
    .execute(async (tx) => {
      await sql`alter table installation drop column version`.execute(tx)
      expect(await readInstalledVersion(tx)).toBeNull()
      await sql`drop table installation`.execute(tx)
      expect(await readInstalledVersion(tx)).toBeNull()
      throw new Error('undone')
    })
    .catch((error: Error) => expect(error.message).toBe('undone'))
})

test.each([
  ['0.1.0', '0.1.0', 0],
  ['0.9.0', '0.10.0', -1],
  ['1.0.0', '0.99.9', 1],
  ['0.2.1', '0.2.0', 1],
])('%s beside %s', (one, other, expected) => {
  expect(Math.sign(compareVersions(one, other))).toBe(expected)
})
