import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createDatabase, openFolder } from '../../server/db/embedded.ts'
import { emptyDataFolder } from '../servers/server-process.ts'

const ROWS = 20_000

test('a start that is killed during a migration changes nothing, and the next one completes it', async () => {
  const folder = await emptyDataFolder()
  const database = join(folder.path, 'pglite')
  const migrations = join(folder.path, 'migrations')
  await createDatabase(database)
  mkdirSync(migrations)
  writeFileSync(join(migrations, '0001_small.sql'), 'create table small (id int primary key);')
  writeFileSync(
    join(migrations, '0002_large.sql'),
    `create table large (id int primary key); insert into large select generate_series(1, ${ROWS});
     create table after_large (id int); insert into after_large values (1);`,
  )

  const tables = join(database, 'base/5') // the only database in use
  const before = readdirSync(tables).length
  const watcher = watch(tables)
  const killed = run(database, migrations)
  // Two tables of applied migrations and `small` are nine files with indexes; one more belongs to the second migration.
  while (readdirSync(tables).length < before + 10) await once(watcher, 'change')
  killed.kill('SIGKILL')
  await once(killed, 'exit')
  watcher.close()

  const [applied] = await once(run(database, migrations), 'message')
  expect(applied).toEqual(['0001_small.sql', '0002_large.sql'])
  const db = await openFolder(database)
  const { rows } = await sql`select (select count(*)::int from large) as large,
    (select count(*)::int from after_large) as after_large, (select array_agg(name order by name) from migrations) as names`.execute(
    db,
  )
  await db.destroy()
  expect(rows).toEqual([{ large: ROWS, after_large: 1, names: ['0001_small.sql', '0002_large.sql'] }])
  await folder.remove()
})

function run(database: string, migrations: string) {
  return fork(new URL('./migrate-folder.ts', import.meta.url), [database, migrations], { execArgv: [] })
}
