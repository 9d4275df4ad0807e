import fs, { readdirSync, renameSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Db } from '../../server/db/client.ts'
import { openEmbedded, openFolder } from '../../server/db/embedded.ts'
import { migrate } from '../../server/db/migrate.ts'
import { listSnapshots, readSnapshot } from '../../server/db/snapshot-files.ts'
import { Snapshots } from '../../server/db/snapshots.ts'
import { type DataFolder, emptyDataFolder } from '../servers/server-process.ts'
import { flipBytes } from './damage.ts'

const HOSTS = 300
const TAKEN_AT = Date.parse('2026-11-21T10:00:00Z')
const NAMES_SNAPSHOT =
  'To restore the snapshot of 2026-11-21 10:00 UTC, start with --restore-snapshot (npm start -- --restore-snapshot)'

// All cases share one folder: each damages the closed database and leaves it restored for the next.
let folder: DataFolder
let dataDir = ''
let database = ''
let table = '' // the file of the hosts table

beforeAll(async () => {
  folder = await emptyDataFolder()
  dataDir = folder.path
  database = join(dataDir, 'pglite')
  const { db } = await open({ restore: false })
  await migrate(db)
  await sql`insert into hosts (username, username_key, email, email_key, password_hash)
    select i, i, i, i, repeat('x', 100) from generate_series(1, ${sql.lit(HOSTS)}) i`.execute(db)
  await openWhatWorksOnce(db)
  const { rows } = await sql<{ hosts: string }>`select pg_relation_filepath('hosts') as hosts`.execute(db)
  table = join(database, rows[0]?.hosts ?? '')
  const log = { info: () => {}, error: (problem: unknown) => Promise.reject(problem) }
  await (await Snapshots.start({ dataDir, db, log, now: () => TAKEN_AT })).close()
  await db.destroy()
})
afterAll(() => folder.remove())

async function open({ restore }: { restore: boolean }): Promise<{ db: Db; printed: string[]; panics: string[] }> {
  const [printed, panics]: [string[], string[]] = [[], []]
  const print = (line: string) => printed.push(line)
  const db = await openEmbedded(dataDir, { restore, print, onPanic: (reason) => panics.push(reason) })
  return { db, printed, panics }
}

async function onFullDisk(act: () => Promise<void>): Promise<void> {
  const full = vi.spyOn(fs, 'writeSync').mockImplementation(() => {
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC', errno: -constants.errno.ENOSPC })
  })
  await act().finally(() => full.mockRestore())
}

/** A session, a one-time link, a phone that waits for its host, and two consents. */
async function openWhatWorksOnce(db: Db): Promise<void> {
  await sql`
    with host as (select id from hosts limit 1),
      master as (insert into masters (email, email_key, password_hash) values ('m', 'm', 'x') returning id),
      room as (insert into rooms (host_id, name) select id, 'Room' from host returning id),
      room_user as (
        insert into room_users (room_id, username, username_key, user_id, user_id_key, password_hash, password_ciphertext)
        select id, 'u', 'u', 'u', 'u', 'x', 'x' from room returning id),
      session as (
        insert into sessions (id, role, host_id, last_active_at, expires_at)
        select gen_random_uuid(), 'host', id, now(), now() + interval '1 hour' from host),
      link as (insert into sign_in_links select id, 'x', now() + interval '1 day' from room_user),
      request as (
        insert into phone_requests (room_user_id, ticket_hash, device_id, platform, requested_at)
        select id, 'x', 'x', 'web', now() from room_user),
      challenge as (
        insert into sign_in_challenges (token_hash, master_id, password_hash, rp_id, webauthn_challenge, tries_left, created_at,
          expires_at)
        select 'x', id, 'x', 'localhost', 'x', 5, now(), now() + interval '5 minutes' from master),
      state as (
        insert into oauth_states (state_hash, master_id, email, return_url, verifier_ciphertext, expires_at)
        select 'x', id, 'e', 'r', 'x', now() + interval '10 minutes' from master)
    insert into oauth_results (id, master_id, email, email_key, zoom_user_id, zoom_account_id, access_token_ciphertext,
      refresh_token_ciphertext, access_expires_at, expires_at)
    select 'x', id, 'e', 'e', 'z', 'z', 'x', 'x', now(), now() + interval '10 minutes' from master`.execute(db)
}

async function countHosts(db: Db): Promise<number | undefined> {
  const { rows } = await sql<{ hosts: number }>`select count(*)::int as hosts from hosts`.execute(db)
  await db.destroy()
  return rows[0]?.hosts
}

function removeWriteAheadLog(): void {
  const names = readdirSync(join(database, 'pg_wal')).filter((name) => /^[0-9A-F]{24}$/.test(name))
  for (const name of names) unlinkSync(join(database, 'pg_wal', name))
}

test('--restore-snapshot changes nothing in a database that opens', async () => {
  const { db, printed } = await open({ restore: true })
  expect(await countHosts(db)).toBe(HOSTS)
  expect(printed).toEqual([`The database in ${dataDir} opens, so no snapshot was restored.`])
})

test.each<[string, () => void, RegExp]>([
  ['changed bytes in a table', () => flipBytes(table, 20_000), /invalid page in block 2/],
  ['a changed control file', () => flipBytes(join(database, 'global/pg_control'), 40), /control file/],
  ['a lost write-ahead log', removeWriteAheadLog, /valid checkpoint record/],
  ['a lost PG_VERSION', () => unlinkSync(join(database, 'PG_VERSION')), /PG_VERSION is missing/],
])('%s: the server refuses to start, and --restore-snapshot recovers every row', async (_name, damage, reason) => {
  damage()
  const before = readdirSync(dataDir)
  const refused = await open({ restore: false }).catch((error: Error) => error.message)
  expect(refused).toMatch(reason)
  expect(refused).toContain(NAMES_SNAPSHOT)
  expect(readdirSync(dataDir)).toEqual(before)

  const { db, printed } = await open({ restore: true })
  expect(await countHosts(db)).toBe(HOSTS)
  const kept = readdirSync(dataDir).filter((name) => !before.includes(name))
  expect(kept).toEqual([expect.stringMatching(/^pglite\.damaged-/)])
  expect(printed).toEqual([expect.stringContaining(`kept as ${kept[0]}`), expect.stringMatching(/is valid again\.$/)])
})

test('what a snapshot could let in again is void after it was restored', async () => {
  const stillOpen = async (db: Db) => {
    const { rows } = await sql<Record<string, number>>`select
      (select count(*)::int from sessions where ended_at is null) as sessions,
      (select count(*)::int from sign_in_links) as links,
      (select count(*)::int from phone_requests) as requests,
      (select count(*)::int from sign_in_challenges) as challenges,
      (select count(*)::int from oauth_states) as states,
      (select count(*)::int from oauth_results) as results`.execute(db)
    await db.destroy()
    return rows[0]
  }
  const [newest] = await listSnapshots(dataDir)
  const ofSnapshot = await openFolder(join(dataDir, 'pglite.looked-at'), {
    loadDataDir: await readSnapshot(newest?.path ?? ''),
  })
  expect(await stillOpen(ofSnapshot)).toEqual({
    sessions: 1,
    links: 1,
    requests: 1,
    challenges: 1,
    states: 1,
    results: 1,
  })
  truncateSync(join(database, 'global/pg_control'))
  const { db } = await open({ restore: true })
  expect(await stillOpen(db)).toEqual({ sessions: 0, links: 0, requests: 0, challenges: 0, states: 0, results: 0 })
})

test('what a snapshot could let in again is void, though the restore was interrupted', async () => {
  truncateSync(join(database, 'global/pg_control'))
  const interrupt = () => {
    throw new Error('interrupted')
  }
  await expect(openEmbedded(dataDir, { restore: true, print: interrupt, onPanic: () => {} })).rejects.toThrow(
    'interrupted',
  )
  const { db } = await open({ restore: false })
  const { rows } =
    await sql`select 1 from sessions where ended_at is null union all select 1 from sign_in_links`.execute(db)
  await db.destroy()
  expect(rows).toEqual([])
})

test('a disk without room is not taken for damage', async () => {
  const before = readdirSync(dataDir)
  await onFullDisk(async () => {
    for (const restore of [false, true])
      await expect(open({ restore })).rejects.toThrow(/No space left on device.*Make room/)
  })
  expect(readdirSync(dataDir)).toEqual(before)
  expect(await countHosts((await open({ restore: false })).db)).toBe(HOSTS)
})

test('a database that fails for good says so at once, and nothing that somebody typed does', async () => {
  const { db, panics } = await open({ restore: false })
  const typed = '2026-11-21 10:00:00.000 UTC [42] PANIC:  typed'
  const twice = sql`insert into masters (email, email_key, password_hash)
    values ('a', ${`${typed}\n${typed}`}, 'x'), ('b', ${`${typed}\n${typed}`}, 'x')`
  await expect(twice.execute(db)).rejects.toThrow('masters_email_key')
  expect(panics).toEqual([])
  await onFullDisk(() => expect(sql`checkpoint`.execute(db)).rejects.toThrow('No space left on device'))
  expect(panics).toEqual([expect.stringMatching(/^could not write to file .* No space left on device$/)])
})

test('a missing database is not replaced by an empty one', async () => {
  renameSync(database, `${database}.elsewhere`)
  const before = readdirSync(dataDir)
  await expect(open({ restore: false })).rejects.toThrow(NAMES_SNAPSHOT)
  expect(readdirSync(dataDir)).toEqual(before)
  renameSync(`${database}.elsewhere`, database)
})

test('skips a snapshot that does not open for the previous one', async () => {
  writeFileSync(join(dataDir, 'snapshots/2026-11-21T11-00-00.000Z_900.tar.zst'), 'nothing of use')
  truncateSync(join(database, 'global/pg_control'))
  const { db, printed } = await open({ restore: true })
  expect(await countHosts(db)).toBe(HOSTS)
  expect(printed[0]).toContain('Restored the snapshot of 2026-11-21 10:00 UTC.')
})

test('leaves a damaged database unchanged without a snapshot that opens', async () => {
  truncateSync(join(database, 'global/pg_control'))
  for (const { path } of await listSnapshots(dataDir)) writeFileSync(path, 'nothing of use')
  const before = readdirSync(dataDir)
  await expect(open({ restore: true })).rejects.toThrow(/There is no snapshot of it that opens/)
  expect(readdirSync(dataDir)).toEqual(before)
})
