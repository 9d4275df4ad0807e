import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { buildMaster, call, type SignedIn } from '../../../test/factories/accounts.ts'
import { buildZoomHost, setupWithZoom } from '../../../test/zoom/emulated-zoom.ts'
import { backupCommand } from '../backup/command.ts'
import { reportSystem } from './system-report.ts'

const server = await setupWithZoom()
let master: SignedIn
beforeEach(async () => {
  master = await buildMaster(server)
  vi.spyOn(server.deps.systemChecks, 'run').mockImplementation(async () => ({ checks: [], checkedAt: Date.now() }))
})

const get = async () => (await call(server, 'GET', '/admin/system', { as: master })).body.data
const report = (config: object) =>
  reportSystem({ ...server.deps, config: { ...server.deps.config, ...config } }, { checks: [], checkedAt: 0 })

describe('GET /api/admin/system', () => {
  test('tells the version, the start and the servers', async () => {
    expect(await get()).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      previous_version: null,
      nodes: 1,
      mail: { is_on: false, waiting: 0, last_error: null },
      hosts_in_trouble: [],
    })
  })

  test('names the hosts that have to connect Zoom again', async () => {
    const host = await buildZoomHost(server)
    expect((await get()).hosts_in_trouble).toEqual([])
    await server.deps.db.updateTable('zoom_links').set({ reconnect_needed: true }).execute()
    expect((await get()).hosts_in_trouble).toEqual([
      { host_id: host.id, username: host.username, problem: 'Zoom has to be connected again.' },
    ])
  })

  test('tells of backups: the last one, why a later one failed, and when the next is due', async () => {
    const off = {
      is_on: false,
      to: null,
      last_success_at: null,
      last_error: null,
      next_at: null,
      kept: 0,
      is_running: false,
    }
    expect((await get()).backup).toEqual(off)
    const folder = await mkdtemp(join(tmpdir(), 'parley-backups-'))
    await writeFile(join(folder, 'parley-2026-11-20T10-00-00Z.tar.age'), '')
    await writeFile(join(folder, 'parley-2026-11-21T10-00-00Z.tar.age'), '')
    await backupCommand(server.deps, { action: 'record_failed', reason: 'the disk is full' })
    const schedule = { BACKUP_TO: folder, BACKUP_HOURS: 6 }
    expect((await report(schedule)).backup).toEqual({
      is_on: true,
      to: folder,
      is_running: false,
      last_success_at: null,
      last_error: 'the disk is full',
      next_at: '2026-11-21T16:00:00.000Z',
      kept: 2,
    })
    await backupCommand(server.deps, { action: 'record_made', after: { rows: 1 } })
    expect((await report(schedule)).backup).toMatchObject({ last_success_at: expect.any(String), last_error: null })
    await rm(folder, { recursive: true })
    expect((await report(schedule)).backup).toMatchObject({ is_on: true, next_at: null, kept: 0 })
  })
})

describe('POST /api/admin/system/check', () => {
  test('checks anew, six times a minute', async () => {
    const check = () => call(server, 'POST', '/admin/system/check', { as: master })
    const answers = await Promise.all(Array.from({ length: 7 }, check))
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(6).fill(200), 429])
    expect(server.deps.systemChecks.run).toHaveBeenCalledTimes(6)
  })
})
