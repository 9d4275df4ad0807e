import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db } from '../../server/db/client.ts'
import { readArchive } from '../../server/db/snapshots/archive.ts'
import { openChecked } from '../../server/db/snapshots/checked-database.ts'
import { openDataDir } from '../../server/db/snapshots/open-data-dir.ts'
import { listSnapshots } from '../../server/db/snapshots/snapshot-files.ts'
import { Snapshots } from '../../server/db/snapshots/snapshots.ts'
import { type DataFolder, emptyDataFolder } from '../server-process.ts'

const MINUTE = 60_000
const nobody = { restore: false, ask: null, say: () => {} }
const log = { info: () => {}, error: (problem: unknown) => Promise.reject(problem) }

let folder: DataFolder
let db: Db
let snapshots: Snapshots
let now = Date.parse('2026-11-21T10:00:00Z')

beforeAll(async () => {
  folder = await emptyDataFolder()
  db = await openDataDir(folder.path, nobody)
  await sql`create table pairs (side text, number int, primary key (side, number))`.execute(db)
  snapshots = await Snapshots.start({ dataDir: folder.path, db, log, now: () => now })
})
afterAll(async () => {
  await folder.remove()
})

test('snapshots are taken hourly, and only while there are changes', async () => {
  expect(await snapshots.takeIfDue()).toBe(true) // there was none
  now += 59 * MINUTE
  await sql`insert into pairs values ('none', 0)`.execute(db)
  expect(await snapshots.takeIfDue()).toBe(false)
  now += MINUTE
  expect(await snapshots.takeIfDue()).toBe(true)
  now += 60 * MINUTE
  await sql`select * from pairs`.execute(db)
  expect(await snapshots.takeIfDue()).toBe(false)
})

test('a snapshot that is taken while others write holds each change whole, and all that came before it', async () => {
  let acknowledged = 0
  let isWriting = true
  const write = async (lane: number) => {
    for (let number = lane; isWriting; number += 4) {
      await db.transaction().execute(async (tx) => {
        await sql`insert into pairs values ('left', ${number})`.execute(tx)
        await sql`insert into pairs values ('right', ${number})`.execute(tx)
      })
      acknowledged++
      await setImmediate() // the database answers without the event loop, which the snapshot needs
    }
  }
  const lanes = [0, 1, 2, 3].map(write)
  while (acknowledged < 20) await setImmediate()
  const before = acknowledged
  now += 60 * MINUTE
  expect(await snapshots.takeIfDue()).toBe(true)
  isWriting = false
  await Promise.all(lanes)

  const [newest] = await listSnapshots(folder.path)
  const copy = join(folder.path, 'copy')
  await readArchive(newest?.path ?? '', copy)
  const restored = await openChecked(copy)
  const { rows } = await sql<{ left: number; right: number; whole: number }>`
    select count(*) filter (where side = 'left')::int as left, count(*) filter (where side = 'right')::int as right,
      (select count(*)::int from pairs l join pairs r using (number) where l.side = 'left' and r.side = 'right') as whole
    from pairs`.execute(restored)
  await restored.destroy()
  const { left = 0, right = 0, whole = 0 } = rows[0] ?? {}
  expect([left, right]).toEqual([whole, whole])
  expect(whole).toBeGreaterThanOrEqual(before)
  expect(whole).toBeLessThanOrEqual(acknowledged)
})

test('seven are kept, the newest, and what a killed process left half-written goes at the next start', async () => {
  for (let taken = 0; taken < 6; taken++) {
    now += 60 * MINUTE
    await sql`insert into pairs values ('none', ${now / MINUTE})`.execute(db)
    expect(await snapshots.takeIfDue()).toBe(true)
  }
  const kept = await listSnapshots(folder.path)
  expect(kept).toHaveLength(7)
  expect(kept[0]?.takenAt.getTime()).toBe(now)
  expect(kept[6]?.takenAt.getTime()).toBe(now - 6 * 60 * MINUTE)
  expect(readdirSync(join(folder.path, 'snapshots'))).toHaveLength(7)

  await snapshots.stop()
  await db.destroy()
  writeFileSync(join(folder.path, 'snapshots/2026-11-22T10-00-00.000Z_900.tar.zst.part'), 'half')
  db = await openDataDir(folder.path, nobody)
  expect(readdirSync(join(folder.path, 'snapshots'))).toHaveLength(7)
})

test('a stop takes a last snapshot, but only of what changed', async () => {
  snapshots = await Snapshots.start({ dataDir: folder.path, db, log, now: () => now })
  await snapshots.stop()
  await db.destroy()
  now += MINUTE
  await snapshots.takeLast()
  expect((await listSnapshots(folder.path))[0]?.takenAt.getTime()).toBe(now - MINUTE)

  db = await openDataDir(folder.path, nobody)
  snapshots = await Snapshots.start({ dataDir: folder.path, db, log, now: () => now })
  await sql`insert into pairs values ('none', -1)`.execute(db)
  await snapshots.stop()
  await db.destroy()
  await snapshots.takeLast()
  expect((await listSnapshots(folder.path))[0]?.takenAt.getTime()).toBe(now)
})
