import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openFolder } from '../../server/db/embedded.ts'
import { migrate } from '../../server/db/migrate.ts'
import { dataFolder, runServerToItsEnd } from '../servers/server-process.ts'

test('a start on a database from before the first release ends with one line, and writes nothing into it', async () => {
  const folder = await dataFolder()
  const database = join(folder.path, 'pglite')
  const before = await openFolder(database)
  await migrate(before)
  await sql`update migrations set name = '0001_masters_and_hosts.sql' where name = '0001_hosts.sql'`.execute(before)
  await before.destroy()

  const { code, output } = await runServerToItsEnd({ DATA_DIR: folder.path, ZOOM_EMULATOR_PORT: '0' })
  expect(code).toBe(1)
  const lines = output.trim().split('\n')
  expect(lines.at(-1)).toMatch(/^The database was made by a version of Parley from before 0\.1\.0, .*another DATA_DIR/)
  expect(lines).toHaveLength(2) // the first one says what the embedded database is for

  const after = await openFolder(database)
  const { rows } = await sql`select (select count(*)::int from masters) as masters,
    (select count(*)::int from migrations where name = '0001_hosts.sql') as migrations`.execute(after)
  expect(rows).toEqual([{ masters: 0, migrations: 0 }])
  await after.destroy()
  await folder.remove()
})
