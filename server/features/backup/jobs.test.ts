import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import { setup } from '../../../test/servers/setup.ts'
import { backUpIfDue } from './jobs.ts'

const HOUR = 3_600_000
let now = Date.parse('2026-11-28T20:00:00Z')
const server = await setup({ now: () => now })
const folder = join(server.deps.config.DATA_DIR, '../', `backups-${process.pid}`)
const error = vi.fn()
const deps = () => ({
  ...server.deps,
  config: { ...server.deps.config, BACKUP_TO: folder },
  log: { ...server.deps.log, info: vi.fn(), error },
})
const make = vi.fn(async (file: string, _signal: AbortSignal) => {
  await writeFile(file, 'a backup')
  return 'Backup written'
})
const run = (maker = make) => backUpIfDue(deps(), undefined, maker)

beforeEach(async () => {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder)
  make.mockClear()
  error.mockClear()
  return () => rm(folder, { recursive: true, force: true })
})

test('a scheduled backup is made when the newest is old enough, and not before', async () => {
  expect(await backUpIfDue({ ...deps(), config: server.deps.config }, undefined, make)).toBe(0)
  expect(await run()).toBe(1)
  now += 24 * HOUR - 1
  expect(await run()).toBe(0)
  now += 1
  expect(await run()).toBe(1)
  expect(await readdir(folder)).toHaveLength(2)
})

test('of several nodes one makes it', async () => {
  const all = await Promise.all(Array.from({ length: 5 }, () => run()))
  expect(all.reduce((sum, count) => sum + count, 0)).toBe(1)
  expect(make).toHaveBeenCalledTimes(1)
})

test('one that fails is logged, and tried again after ten minutes', async () => {
  const failing = vi.fn(() => Promise.reject(new Error('Backup failed: the disk is full.')))
  expect(await run(failing)).toBe(0)
  expect(error).toHaveBeenCalledWith({ reason: 'Backup failed: the disk is full.' }, 'backup.failed')
  now += 9 * 60_000
  expect(await run()).toBe(0)
  now += 60_000
  expect(await run()).toBe(1)
})

test('one whose folder cannot be read is audited, so that masters are told', async () => {
  await rm(folder, { recursive: true })
  expect(await run()).toBe(0)
  expect(make).not.toHaveBeenCalled()
  const failed = server.deps.db.selectFrom('audit').select('after').where('action', '=', 'backup_failed')
  expect(await failed.execute()).toMatchObject([{ after: { reason: expect.stringContaining('ENOENT') } }])
})

test('expired ones and what killed runs have left are removed, and nothing else', async () => {
  const others = ['notes.txt', 'parley-2020-01-01T00-00-00Z.tar.age.txt', 'parley-by-hand.tar.age']
  const old = Array.from({ length: 20 }, (_, n) => `parley-2001-01-${String(n + 10)}T00-00-00Z.tar.age`)
  for (const name of [...others, ...old, 'parley-2001-01-01T00-00-00Z.tar.age.part'])
    await writeFile(join(folder, name), '')
  expect(await run()).toBe(1)
  const names = await readdir(folder)
  for (const name of others) expect(names).toContain(name)
  expect(names.filter((name) => name.endsWith('.part'))).toEqual([])
  // Six of the newest days beside today, of which two end a week and one a month, and the end of the week before.
  expect(names.filter((name) => old.includes(name))).toHaveLength(7)
})

test('a stop ends it without a word', async () => {
  const stop = new AbortController()
  const stopped = vi.fn(async (_file: string, signal: AbortSignal) => {
    stop.abort()
    signal.throwIfAborted()
    return ''
  })
  expect(await backUpIfDue(deps(), stop.signal, stopped)).toBe(0)
  expect(error).not.toHaveBeenCalled()
})
