import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { migrate } from '../../server/db/migrate.ts'
import { eventually } from '../eventually.ts'
import { freshDatabase } from '../servers/database.ts'

const waiting = sql<{ count: number }>`select count(*)::int as count from pg_locks
  where not granted and relation in ('first_table'::regclass, 'second_table'::regclass)
    and database = (select oid from pg_database where datname = current_database())`

test('a migration lets a request of the release before pass that waits for it and holds what it needs', async () => {
  const db = await freshDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'parley-migrations-'))
  for (const { name } of (await sql<{ name: string }>`select name from migrations`.execute(db)).rows)
    await writeFile(join(folder, name), '')
  await sql`create table first_table ()`.execute(db)
  await sql`create table second_table ()`.execute(db)
  await writeFile(join(folder, '9000_first.sql'), 'alter table first_table add column added int;')
  await writeFile(join(folder, '9001_second.sql'), 'alter table second_table add column added int;')

  let migrating: Promise<string[]> | undefined
  await db.transaction().execute(async (tx) => {
    await sql`insert into second_table default values`.execute(tx)
    migrating = migrate(db, pathToFileURL(`${folder}/`))
    await eventually(async () => expect((await waiting.execute(db)).rows).toEqual([{ count: 1 }]))
    await sql`insert into first_table default values`.execute(tx)
  })
  expect(await migrating).toEqual(['9000_first.sql', '9001_second.sql'])
  await sql`drop table first_table`.execute(db)
  await sql`drop table second_table`.execute(db)
  await sql`delete from migrations where name > '9'`.execute(db)
  await db.destroy()
  await rm(folder, { recursive: true })
})
