import { cpSync, readdirSync, renameSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db } from '../../server/db/client.ts'
import { migrate } from '../../server/db/migrate.ts'
import { type Choice, openDataDir } from '../../server/db/snapshots/open-data-dir.ts'
import { listSnapshots, takeSnapshot } from '../../server/db/snapshots/snapshot-files.ts'
import { flipBytes } from '../damage.ts'
import { type DataFolder, emptyDataFolder } from '../server-process.ts'

const HOSTS = 300
const TAKEN_AT = new Date('2026-11-21T10:00:00Z')

// One folder for all: a case damages the closed database, and leaves it restored for the next one.
let folder: DataFolder
let dataDir = ''
let database = ''
let table = '' // the file of the hosts, and that of one of its indexes
let index = ''

beforeAll(async () => {
  folder = await emptyDataFolder()
  dataDir = folder.path
  database = join(dataDir, 'pglite')
  const { db } = await open({})
  await migrate(db)
  await sql`insert into hosts (username, username_key, email, email_key, password_hash)
    select i, i, i, i, repeat('x', 100) from generate_series(1, ${sql.lit(HOSTS)}) i`.execute(db)
  const { rows } = await sql<{ hosts: string; names: string }>`select pg_relation_filepath('hosts') as hosts,
    pg_relation_filepath('hosts_username_key') as names`.execute(db)
  table = join(database, rows[0]?.hosts ?? '')
  index = join(database, rows[0]?.names ?? '')
  await db.destroy()
  await takeSnapshot(dataDir, TAKEN_AT, (write) => write())
})
afterAll(() => folder.remove())

async function open(choice: Partial<Choice>): Promise<{ db: Db; said: string[] }> {
  const said: string[] = []
  const db = await openDataDir(dataDir, { restore: false, ask: null, say: (line) => said.push(line), ...choice })
  return { db, said }
}

async function hostsIn(db: Db): Promise<number | undefined> {
  const { rows } = await sql<{ hosts: number }>`select count(*)::int as hosts from hosts`.execute(db)
  await db.destroy()
  return rows[0]?.hosts
}

function removeWriteAheadLog(): void {
  const names = readdirSync(join(database, 'pg_wal')).filter((name) => /^[0-9A-F]{24}$/.test(name))
  for (const name of names) unlinkSync(join(database, 'pg_wal', name))
}

test('a sound database is never replaced, even if the flag is given', async () => {
  const { db, said } = await open({ restore: true })
  expect(await hostsIn(db)).toBe(HOSTS)
  expect(said).toEqual([`The database in ${dataDir} opens, so no snapshot was restored.`])
})

test.each<[string, () => void, RegExp]>([
  ['some bytes of a table changed', () => flipBytes(table, 20_000), /wrong checksum in page 2/],
  ['a table cut off within a page', () => truncateSync(table, 20_000), /is cut off after 20000 bytes/],
  ['a table emptied', () => truncateSync(table), /could not read blocks/],
  ['the file of an index gone', () => unlinkSync(index), /the file of .* is missing/],
  ['pg_control changed', () => flipBytes(join(database, 'global/pg_control'), 40), /control file/],
  ['the write-ahead log gone', removeWriteAheadLog, /valid checkpoint record/],
  ['PG_VERSION gone', () => unlinkSync(join(database, 'PG_VERSION')), /PG_VERSION is missing/],
])('%s: noticed at the start, and the snapshot brings every row back', async (_name, damage, reason) => {
  const before = readdirSync(dataDir)
  damage()
  const questions: string[] = []
  const { db, said } = await open({ ask: async (question) => questions.push(question) > 0 })

  expect(await hostsIn(db)).toBe(HOSTS)
  expect(questions).toEqual([expect.stringMatching(reason)])
  expect(questions[0]).toContain(
    'Restore the snapshot of 2026-11-21 10:00 UTC? What was changed after it is lost. [y/N]',
  )
  const kept = readdirSync(dataDir).filter((name) => !before.includes(name))
  expect(kept).toEqual([expect.stringMatching(/^pglite\.damaged-/)])
  expect(said).toEqual([expect.stringContaining(`kept as ${kept[0]}`)])
})

test('a missing database is not replaced by an empty one, nor by a snapshot when the answer is no', async () => {
  renameSync(database, `${database}.elsewhere`)
  const before = readdirSync(dataDir)
  await expect(open({ ask: async () => false })).rejects.toThrow(
    'Nothing was changed. To restore the snapshot of 2026-11-21 10:00 UTC later: npm start -- --restore-snapshot',
  )
  expect(readdirSync(dataDir)).toEqual(before)
  renameSync(`${database}.elsewhere`, database)
})

test('a damaged snapshot is put aside, and the one before it restored', async () => {
  const [good] = await listSnapshots(dataDir)
  const bad = join(dataDir, 'snapshots/2026-11-21T11-00-00.000Z_900.tar.zst')
  cpSync(good?.path ?? '', bad)
  flipBytes(bad, 2_000_000)
  truncateSync(join(database, 'global/pg_control'))

  const { db } = await open({ restore: true })
  expect(await hostsIn(db)).toBe(HOSTS)
  expect(await listSnapshots(dataDir)).toEqual([good])
  expect(readdirSync(join(dataDir, 'snapshots'))).toContain('2026-11-21T11-00-00.000Z_900.tar.zst.damaged')
})

test('without a snapshot that opens, a damaged database is left as it is', async () => {
  truncateSync(join(database, 'global/pg_control'))
  for (const { path } of await listSnapshots(dataDir)) writeFileSync(path, 'nothing of use')
  const before = readdirSync(dataDir)
  await expect(open({ restore: true })).rejects.toThrow(/There is no snapshot of it that opens/)
  expect(readdirSync(dataDir)).toEqual(before)
})
