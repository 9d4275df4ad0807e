import { once } from 'node:events'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db } from '../../server/db/client.ts'
import { openEmbedded, openFolder } from '../../server/db/embedded.ts'
import { listSnapshots, readSnapshot, snapshotPath } from '../../server/db/snapshot-files.ts'
import { Snapshots } from '../../server/db/snapshots.ts'
import { type DataFolder, emptyDataFolder } from '../servers/server-process.ts'

const MINUTE = 60_000
const MIB = 1024 ** 2
const options = { restore: false, print: () => {}, onPanic: () => {} }
const log = { info: () => {}, error: (problem: unknown) => Promise.reject(problem) }

let folder: DataFolder
let db: Db
let snapshots: Snapshots
let now = Date.parse('2026-11-21T10:00:00Z')

beforeAll(async () => {
  folder = await emptyDataFolder()
  db = await openEmbedded(folder.path, options)
  await sql`create table pairs (side text, number int, primary key (side, number))`.execute(db)
  snapshots = await startSnapshots()
})
afterAll(() => folder.remove())

const startSnapshots = (more: { measureRoom?: (path: string) => Promise<number> } = {}) =>
  Snapshots.start({ dataDir: folder.path, db, log, now: () => now, ...more })

const filesOfSnapshots = () =>
  readdirSync(folder.path, { recursive: true }).filter((name) => /^snapshots./.test(`${name}`))

test('takes snapshots hourly, and only after changes', async () => {
  expect(await snapshots.takeIfDue()).toBe(true) // there is no snapshot yet
  now += 59 * MINUTE
  await sql`insert into pairs values ('none', 0)`.execute(db)
  expect(await snapshots.takeIfDue()).toBe(false)
  now += MINUTE
  expect(await snapshots.takeIfDue()).toBe(true)
  now += 60 * MINUTE
  await sql`select * from pairs`.execute(db)
  expect(await snapshots.takeIfDue()).toBe(false)
})

test('a snapshot taken during writes has each change whole, and every earlier one', async () => {
  let acknowledged = 0
  let isWriting = true
  const write = async (lane: number) => {
    for (let number = lane; isWriting; number += 4) {
      await db.transaction().execute(async (tx) => {
        await sql`insert into pairs values ('left', ${number})`.execute(tx)
        await sql`insert into pairs values ('right', ${number})`.execute(tx)
      })
      acknowledged++
      await setImmediate() // the database responds without the event loop, which the snapshot needs
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
  const restored = await openFolder(join(folder.path, 'copy'), {
    loadDataDir: await readSnapshot(newest?.path ?? ''),
  })
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

test('keeps the newest seven', async () => {
  const older = [1, 2, 3, 4, 5, 6].map((hours) => new Date(now - hours * 600 * MINUTE))
  for (const takenAt of older) writeFileSync(snapshotPath(folder.path, takenAt, '1'), 'an older one')
  now += 60 * MINUTE
  await sql`insert into pairs values ('none', 1)`.execute(db)
  expect(await snapshots.takeIfDue()).toBe(true)
  const kept = (await listSnapshots(folder.path)).map(({ takenAt }) => takenAt)
  expect(kept).toHaveLength(7)
  expect(kept[0]?.getTime()).toBe(now)
  expect(kept).not.toContainEqual(older.at(-1))
  expect(readdirSync(join(folder.path, 'snapshots'))).toHaveLength(7)
})

test('leaves nothing of a copy that fails, and tries again ten minutes later', async () => {
  await sql`insert into pairs values ('none', 2)`.execute(db)
  const before = filesOfSnapshots()
  const socket = createServer().listen(join(folder.path, 'pglite', 'socket'))
  await once(socket, 'listening')
  now += 60 * MINUTE
  await expect(snapshots.takeIfDue()).rejects.toThrow('socket')
  socket.close()
  expect(filesOfSnapshots()).toEqual(before)
  now += 9 * MINUTE
  expect(await snapshots.takeIfDue()).toBe(false)
  now += MINUTE
  expect(await snapshots.takeIfDue()).toBe(true)
})

test.each([
  ['a checkpoint', 0],
  ['a copy', 64 * MIB],
])('takes none where %s has no room', async (_what, room) => {
  const measured: string[] = []
  const measureRoom = async (path: string) => {
    measured.push(path)
    return room
  }
  await sql`insert into pairs values ('room', ${room})`.execute(db)
  const before = filesOfSnapshots()
  now += 60 * MINUTE
  const onFullDisk = await startSnapshots({ measureRoom })
  await expect(onFullDisk.takeIfDue()).rejects.toThrow(/needs \d+ MB of free disk; there are (0|64) MB/)
  expect(new Set(measured)).toEqual(new Set([folder.path]))
  expect(filesOfSnapshots()).toEqual(before)
  expect(await snapshots.takeIfDue()).toBe(true)
})

test('closing takes a last snapshot, but only after changes', async () => {
  const taken = now
  now += MINUTE
  await snapshots.close()
  expect((await listSnapshots(folder.path))[0]?.takenAt.getTime()).toBe(taken)

  await sql`insert into pairs values ('none', -1)`.execute(db)
  snapshots = await startSnapshots()
  await snapshots.close()
  expect((await listSnapshots(folder.path))[0]?.takenAt.getTime()).toBe(now)
  await db.destroy()
})

test('a start removes what a killed process left half-written', async () => {
  const left = join(folder.path, 'snapshots/2026-11-22T10-00-00.000Z_900.tar.zst')
  writeFileSync(`${left}.part`, 'half')
  mkdirSync(`${left}.copy`)
  const reopened = await openEmbedded(folder.path, options)
  expect(readdirSync(join(folder.path, 'snapshots')).filter((name) => !name.endsWith('.tar.zst'))).toEqual([])
  await reopened.destroy()
})
