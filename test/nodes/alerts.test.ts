import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { backupName } from '../../server/features/backup/kept-backups.ts'
import { readDashboard, readRules } from '../alerts/rules.ts'
import { buildHost, buildPhone, buildRoomUser, call } from '../factories/accounts.ts'
import { freshDatabase } from '../servers/database.ts'
import { freePort } from '../servers/free-port.ts'
import { startTestApp } from '../servers/start.ts'

const DAY_MS = 86_400_000

/** The dashboard's expressions that have no value here: what they show is off, or has not happened. */
const ABSENT = ['Redis', 'Certificates end in', 'Failed runs of jobs, last hour', 'Requests to Zoom per minute']

/** Brings minutes down to seconds, so that a test need not wait for them. */
function quick(expr: string): string {
  return expr.replaceAll(/\[(5m|1h)\]/g, '[5s]').replaceAll('+ 600', '+ 1')
}

/** Starts a Prometheus that scrapes the server every second and knows the alerts. */
async function startPrometheus(target: string) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-prometheus-'))
  const rules = readRules().map(({ expr, ...rule }) => ({ ...rule, expr: quick(expr), for: '0s' }))
  await writeFile(join(folder, 'rules.json'), JSON.stringify({ groups: [{ name: 'parley', rules }] }))
  const config = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: ['rules.json'],
    scrape_configs: [{ job_name: 'parley', static_configs: [{ targets: [target] }] }],
  }
  await writeFile(join(folder, 'prometheus.json'), JSON.stringify(config))
  const port = await freePort()
  const files = [`--config.file=${join(folder, 'prometheus.json')}`, `--storage.tsdb.path=${join(folder, 'data')}`]
  const child: ChildProcess = spawn('prometheus', [...files, `--web.listen-address=127.0.0.1:${port}`], {
    stdio: 'ignore',
  })
  onTestFinished(async () => {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
    await rm(folder, { recursive: true, force: true })
  })
  const get = async <T>(path: string, shape: z.ZodType<T>): Promise<T> =>
    shape.parse(await (await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)).json())
  return {
    /** Lists the firing alerts, with the job where they name one. */
    async firing(): Promise<string[]> {
      const { data } = await get('alerts', Alerts).catch(() => ({ data: { alerts: [] } }))
      return data.alerts
        .filter(({ state }) => state === 'firing')
        .map(({ labels: { alertname, exported_job } }) => (exported_job ? `${alertname} ${exported_job}` : alertname))
    },
    async values(expr: string): Promise<unknown[]> {
      return (await get(`query?query=${encodeURIComponent(quick(expr))}`, Query)).data.result
    },
  }
}

const Labels = z.object({ alertname: z.string(), exported_job: z.string().optional() })
const Alerts = z.object({ data: z.object({ alerts: z.array(z.object({ state: z.string(), labels: Labels })) }) })
const Query = z.object({ status: z.literal('success'), data: z.object({ result: z.array(z.unknown()) }) })

/** Repeats an act, four times a second, until it is stopped. */
function repeat(act: () => Promise<unknown>) {
  let last: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    last = last.then(act)
  }, 250)
  onTestFinished(() => clearInterval(timer))
  return {
    async stop() {
      clearInterval(timer)
      await last
    },
  }
}

const HUNG = 'read who must have a second factor'

test('alerts fire at a real Prometheus for what they are for', { timeout: 180_000 }, async () => {
  const sharedDb = await freshDatabase()
  onTestFinished(() => sharedDb.destroy())
  const BACKUP_TO = await mkdtemp(join(tmpdir(), 'parley-backups-'))
  onTestFinished(() => rm(BACKUP_TO, { recursive: true, force: true }))
  await writeFile(join(BACKUP_TO, backupName(Date.now() - DAY_MS)), 'an old one')
  await sharedDb.insertInto('backup_schedule').values({ is_only_row: true, attempted_at: new Date() }).execute() // a failure
  const server = await startTestApp({ sharedDb, config: { BACKUP_TO, BACKUP_HOURS: 1 } })
  const { deps } = server
  const target = new URL(await server.app.listen({ port: 0, host: '127.0.0.1' })).host
  const host = await buildHost(server)
  const phone = await buildPhone(server, host, await buildRoomUser(server, host))
  const prometheus = await startPrometheus(target)
  const fires = (alert: string) => expect.poll(prometheus.firing, { timeout: 60_000, interval: 500 }).toContain(alert)

  await expect.poll(() => prometheus.values('up'), { timeout: 60_000 }).toHaveLength(1)
  await expect.poll(prometheus.firing, { timeout: 60_000 }).not.toContain('ParleyDown')

  // A job that hangs; its last success is before this.
  const hanging = Promise.withResolvers<number>()
  vi.spyOn(deps.requiredFactors, 'refresh').mockReturnValue(hanging.promise)
  // A host whose grant at Zoom is gone, and an event that cannot be decrypted.
  const at = new Date()
  await insertLink()
  await deps.db
    .insertInto('zoom_events')
    .values({
      ...{ body_hash: 'damaged', event: 'meeting.started', zoom_account_id: null, zoom_user_id: null },
      ...{ reported_at: at, received_at: at, next_attempt_at: at, body_ciphertext: 'damaged' },
    })
    .execute()
  // A fault in the code.
  vi.spyOn(deps.passwords, 'isRight').mockRejectedValue(new Error('A fault'))
  const failing = repeat(() =>
    call(server, 'POST', '/auth/host/login', { body: { username: 'someone', password: 'x' } }),
  )
  await fires('ParleyFailingRequests')
  await fires('ParleyNoBackup')
  await fires(`ParleyJobStuck ${HUNG}`)
  await fires('ParleyZoomReconnect')
  await fires('ParleyWebhookBacklog')
  await failing.stop()
  const acts = repeat(async () => {
    await call(server, 'POST', `/host/users/${phone.id}/mute`, { as: host })
    const { users } = (await call(server, 'GET', '/host/online-users', { as: host })).body.data
    await call(server, 'POST', '/mobile/status', { as: phone, body: { acks: [users[0]?.pending_command?.id ?? ''] } })
  })
  const empty = async () => {
    const found = await Promise.all(
      readDashboard().map(async (one) => ({ ...one, values: await prometheus.values(one.expr) })),
    )
    return found.filter(({ title, values }) => values.length === 0 && !ABSENT.includes(title)).map(({ expr }) => expr)
  }
  await expect.poll(empty, { timeout: 40_000, interval: 1_000 }).toEqual([])
  await acts.stop()

  hanging.resolve(0)
  await server.close()
  await fires('ParleyDown')

  async function insertLink() {
    await deps.db
      .insertInto('zoom_links')
      .values({
        ...{ host_id: host.id, email: host.email, zoom_user_id: 'z', zoom_account_id: 'a', scopes: '' },
        ...{ warnings: JSON.stringify([]), reconnect_needed: true },
        ...{ access_token_ciphertext: '', refresh_token_ciphertext: '', access_expires_at: at },
      })
      .execute()
  }
})
