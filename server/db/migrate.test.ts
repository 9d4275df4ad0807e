import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { freshDatabase } from '../../test/servers/database.ts'
import type { Db } from './client.ts'
import { recordVersion } from './installed-version.ts'
import { migrate, NewerDatabase, UnreleasedDatabase } from './migrate.ts'

let db: Db
let folder: string

beforeAll(async () => {
  db = await freshDatabase()
  folder = await mkdtemp(join(tmpdir(), 'parley-migrations-'))
  await cp(new URL('../../migrations/', import.meta.url), folder, { recursive: true })
})
afterAll(async () => {
  await sql`drop table if exists added`.execute(db)
  await db.destroy()
  await rm(folder, { recursive: true })
})
afterEach(() => sql`delete from migrations where name > '9'`.execute(db))

const migrateWith = async (name: string, text: string) => {
  await writeFile(join(folder, name), text)
  try {
    return await migrate(db, pathToFileURL(`${folder}/`))
  } finally {
    await rm(join(folder, name))
  }
}

const appliedNames = async () =>
  (await sql<{ name: string }>`select name from migrations order by name`.execute(db)).rows.map(({ name }) => name)

test('a failed migration of several statements leaves nothing behind', async () => {
  const failing = migrateWith('9001_failing.sql', "create table half (); -- it's; one\nselect 1 / 0;")
  await expect(failing).rejects.toThrow('division by zero')
  const { rows } = await sql`select to_regclass('half') as half`.execute(db)
  expect(rows).toEqual([{ half: null }])
  expect(await appliedNames()).not.toContain('9001_failing.sql')
})

test('only one of two servers migrates when both start', async () => {
  await writeFile(join(folder, '9002_twice.sql'), 'create table added_twice (); drop table added_twice;')
  const url = pathToFileURL(`${folder}/`)
  const applied = await Promise.all([migrate(db, url), migrate(db, url)])
  await rm(join(folder, '9002_twice.sql'))
  expect(applied.flat()).toEqual(['9002_twice.sql'])
})

test('refuses a database of a newer version', async () => {
  await sql`insert into migrations (name, "timestamp") values ('9999_later.sql', '2030-01-01T00:00:00.000Z')`.execute(
    db,
  )
  await expect(migrate(db)).rejects.toThrow(NewerDatabase)
  const words = `This database was made by a newer version of Parley (9999_later.sql); this is ${packageJson.version}. Start that version, or restore a backup.`
  await expect(migrate(db)).rejects.toThrow(words)
  await recordVersion(db, new Date(), '99.0.0')
  const named = `This database was made by Parley 99.0.0 (9999_later.sql); this is ${packageJson.version}. Start 99.0.0, or restore a backup.`
  await expect(migrate(db)).rejects.toThrow(named)
  await recordVersion(db, new Date())
})

test('refuses a database from before the first release, and leaves it as it is', async () => {
  const first = '0001_hosts.sql'
  const unreleased = '0001_masters_and_hosts.sql'
  await sql`update migrations set name = ${unreleased} where name = ${first}`.execute(db)
  const names = await appliedNames()
  await expect(migrate(db)).rejects.toThrow(UnreleasedDatabase)
  await sql`alter table migrations rename column "timestamp" to at`.execute(db) // as the first versions named it
  await expect(migrate(db)).rejects.toThrow(UnreleasedDatabase)
  expect(await appliedNames()).toEqual(names)
  await sql`alter table migrations rename column at to "timestamp"`.execute(db)
  await sql`update migrations set name = ${first} where name = ${unreleased}`.execute(db)
  expect(await migrate(db)).toEqual([])
})
