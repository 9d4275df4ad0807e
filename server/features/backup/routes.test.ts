import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { buildHost, buildMaster, call, type SignedIn } from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'
import { reportSystem } from '../system/system-report.ts'
import { backUpIfDue, makeScheduledBackup } from './jobs.ts'

let now = Date.parse('2026-11-28T20:00:00Z')
const server = await setup({ now: () => now })
const folder = join(server.deps.config.DATA_DIR, '../', `asked-backups-${process.pid}`)
let master: SignedIn & { id: string }

beforeEach(async () => {
  now += 3_600_000
  master = await buildMaster(server)
  server.deps.config.BACKUP_TO = folder
  await mkdir(folder, { recursive: true })
  vi.spyOn(server.deps.jobs, 'wake').mockReturnValue()
  return async () => {
    delete server.deps.config.BACKUP_TO
    await rm(folder, { recursive: true, force: true })
  }
})

const ask = (as: SignedIn = master, headers = {}) => call(server, 'POST', '/admin/backups', { as, headers })
const make = async (file: string) => {
  await writeFile(file, 'a backup')
  return 'Backup written'
}
const runJob = (maker = make) => backUpIfDue(server.deps, undefined, maker)
const report = async () => (await reportSystem(server.deps, { checks: [], checkedAt: 0 })).backup
const audited = () =>
  server.deps.db.selectFrom('audit').select(['id', 'actor_id']).where('action', '=', 'backup_asked').execute()

describe('POST /api/admin/backups', () => {
  test('lets the job make one at once, though the newest is young', async () => {
    expect(await runJob()).toBe(1)
    now += 60_000
    const asked = await ask()
    expect(asked).toMatchObject({ status: 200, body: { success: true } })
    expect(server.deps.jobs.wake).toHaveBeenCalledWith(makeScheduledBackup)
    expect(await audited()).toEqual([{ id: asked.body.data.id, actor_id: master.id }])
    expect((await report()).is_running).toBe(true)
    expect(await runJob()).toBe(1)
    expect(await runJob()).toBe(0)
    expect(await readdir(folder)).toHaveLength(2)
    expect(await report()).toMatchObject({ is_running: false, kept: 2 })
  })

  test('is refused while one is asked for or is being made, and where there is no folder for it', async () => {
    const conflict = { status: 409, body: { code: 'conflict' } }
    const together = await Promise.all([ask(), ask(await buildMaster(server))])
    expect(together.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const during: unknown[] = []
    const slow = async (file: string) => {
      during.push(await ask(), await report())
      return make(file)
    }
    expect(await runJob(slow)).toBe(1)
    expect(during).toMatchObject([conflict, { is_running: true }])
    delete server.deps.config.BACKUP_TO
    expect(await ask()).toMatchObject(conflict)
    expect(await audited()).toHaveLength(1)
  })

  test('asks once for a repeated call, and six times a minute', async () => {
    const headers = { 'idempotency-key': 'the same' }
    const [first, again] = [await ask(master, headers), await ask(master, headers)]
    expect(again.body).toEqual(first.body)
    for (let time = 0; time < 4; time++) expect((await ask()).status).toBe(409)
    expect((await ask()).status).toBe(429)
  })

  test('is for masters', async () => {
    expect((await ask(await buildHost(server))).status).toBe(403)
    expect((await call(server, 'POST', '/admin/backups')).status).toBe(401)
    expect(await audited()).toEqual([])
  })
})
