import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PostgresDialect } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import packageJson from '../../../package.json' with { type: 'json' }
import { USER_ACTIONS } from '../../../shared/room-users.ts'
import {
  buildAssistant,
  buildHost,
  buildMaster,
  buildPhone,
  buildRoomUser,
  call,
  PASSWORD,
  phoneLogin,
  type TestHost,
  type TestPhone,
} from '../../../test/factories/accounts.ts'
import { parseMetrics, readMetrics, type Sample, sampleOf } from '../../../test/servers/read-metrics.ts'
import { startTestApp } from '../../../test/servers/start.ts'
import { openStream } from '../../../test/servers/stream.ts'
import { buildZoomHost, setupWithZoom } from '../../../test/zoom/emulated-zoom.ts'
import { deliver } from '../../../test/zoom/webhooks.ts'
import { openDatabase } from '../../db/client.ts'
import { backupName } from '../../features/backup/kept-backups.ts'
import { MailContent } from '../../features/mail/content.ts'
import { ZOOM_EVENTS } from '../../features/zoom-accounts/webhook-handlers.ts'
import type { Job } from '../../jobs/job.ts'
import { JobRunner } from '../../jobs/job-runner.ts'
import { JOBS } from '../../jobs.ts'
import { Metrics } from '../../lib/metrics.ts'
import { readUser } from '../../zoom/calls.ts'
import { registerGauges } from './gauges.ts'

let later = 0
const server = await setupWithZoom({ now: () => Date.now() + later })

/** Reads the metrics once what was last read of the database has become old. */
function readLater(): Promise<Sample[]> {
  later += 16_000
  return readMetrics(server)
}

async function rise(work: () => Promise<unknown>, name: string, labels: Record<string, string>): Promise<number> {
  const before = sampleOf(await readMetrics(server), name, labels) ?? 0
  await work()
  return (sampleOf(await readMetrics(server), name, labels) ?? 0) - before
}

const act = (host: TestHost, path: string, body?: unknown) => call(server, 'POST', path, { as: host, body })

async function acknowledge(host: TestHost, phone: TestPhone): Promise<void> {
  const { users } = (await call(server, 'GET', '/host/online-users', { as: host })).body.data
  const { id } = users.find((user: { id: string }) => user.id === phone.id).pending_command
  await call(server, 'POST', '/mobile/status', { as: phone, body: { acks: [id] } })
}

test('commands are counted, and timed until their phones acknowledge them', async () => {
  const host = await buildHost(server)
  const phone = await buildPhone(server, host, await buildRoomUser(server, host))
  const muted = { action: 'mute' }
  expect(await rise(() => act(host, `/host/users/${phone.id}/mute`), 'parley_commands_total', muted)).toBe(1)
  const acknowledged = 'parley_command_delivery_seconds_count'
  expect(await rise(() => acknowledge(host, phone), acknowledged, {})).toBe(1)
  expect(await rise(() => act(host, '/host/trigger-bulk-mute/mute'), 'parley_event_lag_seconds_count', {})).toBe(1)
  expect(await rise(() => acknowledge(host, phone), acknowledged, {})).toBe(1)
  const lifted = { action: 'unmute-all' }
  expect(await rise(() => act(host, '/host/trigger-bulk-mute/unmute'), 'parley_commands_total', lifted)).toBe(1)
  const refused = () => act(host, '/host/users/00000000-0000-4000-8000-000000000000/unmute')
  expect(await rise(refused, 'parley_commands_total', { action: 'unmute' })).toBe(0)
})

test('who is online and whose streams are open is counted by kind', async () => {
  const host = await buildHost(server)
  const phone = await buildPhone(server, host, await buildRoomUser(server, host))
  const { room_id } = (await call(server, 'GET', '/host/details', { as: host })).body
  const origin = await server.app.listen({ port: 0, host: '127.0.0.1' })
  for (const as of [host, phone]) {
    const { sseUrl } = (await call(server, 'POST', '/mobile/sse-session', { as, body: { room_id } })).body
    const stream = await openStream(`${origin}${sseUrl}`)
    onTestFinished(() => stream.close())
  }
  const samples = await readMetrics(server)
  expect(sampleOf(samples, 'parley_event_streams', { kind: 'console' })).toBe(1)
  expect(sampleOf(samples, 'parley_event_streams', { kind: 'phone' })).toBe(1)
  expect(sampleOf(samples, 'parley_online', { kind: 'user' })).toBeGreaterThanOrEqual(1)
  expect(sampleOf(samples, 'parley_online', { kind: 'host_phone' })).toBe(0)
  expect(sampleOf(samples, 'parley_rooms', { state: 'in_step' })).toBeGreaterThanOrEqual(1)
  expect(sampleOf(samples, 'parley_rooms', { state: 'alone' })).toBe(0)
  expect(sampleOf(samples, 'parley_build_info', { version: packageJson.version })).toBe(1)
  expect(sampleOf(samples, 'parley_database_seconds_count')).toBeGreaterThan(0)
})

test('one poll in a hundred is timed, whatever comes between', async () => {
  const polled = await startTestApp()
  const host = await buildHost(polled)
  const origin = await polled.app.listen({ port: 0, host: '127.0.0.1' })
  const get = async (path: string) => {
    const headers = { authorization: `Bearer ${host.token}` }
    await (await fetch(`${origin}${path}`, { headers })).arrayBuffer()
  }
  for (let poll = 0; poll < 250; poll++) {
    await get('/api/host/online-users')
    await get('/healthz')
  }
  expect(sampleOf(await readMetrics(polled), 'parley_poll_seconds_count')).toBe(2)
  await polled.close()
})

test('sign-ins are counted by role and result', async () => {
  const master = await buildMaster(server)
  const host = await buildHost(server)
  const { login_name } = await buildAssistant(server, host, 'moderator')
  const user = await buildRoomUser(server, host)
  const signIns = 'parley_sign_ins_total'
  const hostLogin =
    (username: string, password = PASSWORD) =>
    () =>
      call(server, 'POST', '/auth/host/login', { body: { username, password } })
  const masterLogin = (password: string) => () =>
    call(server, 'POST', '/auth/master-login', { body: { email: master.email, password } })
  expect(await rise(hostLogin(host.username), signIns, { role: 'host', result: 'ok' })).toBe(1)
  expect(await rise(hostLogin(host.username, 'a guess'), signIns, { role: 'host', result: 'wrong' })).toBe(1)
  expect(await rise(hostLogin(login_name), signIns, { role: 'assistant', result: 'ok' })).toBe(1)
  expect(await rise(masterLogin(PASSWORD), signIns, { role: 'master', result: 'ok' })).toBe(1)
  expect(await rise(masterLogin('a guess'), signIns, { role: 'master', result: 'wrong' })).toBe(1)
  expect(await rise(() => phoneLogin(server, host, user), signIns, { role: 'phone', result: 'ok' })).toBe(1)
  const other = () => phoneLogin(server, host, user, 'another phone')
  expect(await rise(other, signIns, { role: 'phone', result: 'refused' })).toBe(1)
})

test('requests to Zoom, its hosts, and those in trouble are counted', async () => {
  const host = await buildZoomHost(server)
  const zoom = 'parley_zoom_requests_total'
  const samples = await readMetrics(server)
  expect(sampleOf(samples, zoom, { operation: 'create_meeting', code: '201' })).toBeGreaterThanOrEqual(1)
  expect(sampleOf(samples, zoom, { operation: 'oauth_authorization_code', code: '200' })).toBeGreaterThanOrEqual(1)
  await server.control('/faults', { match: { method: 'GET' }, kind: 'status', times: 1, status: 401, code: 124 })
  await server.deps.zoom.callFor(host.id, readUser)
  expect(sampleOf(await readMetrics(server), zoom, { operation: 'read_user', code: '401' })).toBe(1)
  await server.deps.db
    .updateTable('zoom_links')
    .set({ reconnect_needed: true, warnings: JSON.stringify([{ code: 'basic_plan', message: '' }]) })
    .execute()
  const fresh = await readLater()
  expect(sampleOf(fresh, 'parley_zoom_hosts', { state: 'reconnect_needed' })).toBe(1)
  expect(sampleOf(fresh, 'parley_zoom_hosts', { state: 'connected' })).toBe(0)
  expect(sampleOf(fresh, 'parley_hosts_in_trouble', { problem: 'reconnect_needed' })).toBe(1)
  expect(sampleOf(fresh, 'parley_hosts_in_trouble', { problem: 'basic_plan' })).toBe(1)
  expect(sampleOf(fresh, 'parley_hosts_in_trouble', { problem: 'zoom_storage' })).toBe(0)
})

test("Zoom's events are counted by kind and by what became of them", async () => {
  const host = await buildZoomHost(server)
  const object = { id: host.rooms[0]?.zoom_meeting_id, uuid: 'abc==', host_id: 'z', start_time: '2026-11-21T10:00:00Z' }
  const event = { event: 'meeting.started', event_ts: 1, payload: { account_id: 'a', object } }
  const webhooks = 'parley_webhooks_total'
  const send =
    (what: object, sent = {}) =>
    async () => {
      await deliver(server, what, sent)
      await server.deps.jobs.idle()
    }
  expect(await rise(send(event), webhooks, { event: 'meeting.started', result: 'accepted' })).toBe(1)
  expect(await rise(send(event), webhooks, { event: 'meeting.started', result: 'repeated' })).toBe(1)
  expect(sampleOf(await readMetrics(server), webhooks, { event: 'meeting.started', result: 'handled' })).toBe(1)
  const chat = { ...event, event: 'chat_message.sent' }
  expect(await rise(send(chat), webhooks, { event: 'other', result: 'ignored' })).toBe(1)
  const forged = send({ ...event, event_ts: 2 }, { secret: 'another secret' })
  expect(await rise(forged, webhooks, { event: 'other', result: 'refused' })).toBe(1)
})

test('events that are not handled yet are the backlog', async () => {
  const host = await buildZoomHost(server)
  const payload = { account_id: 'a', object: { id: host.rooms[0]?.zoom_meeting_id } }
  vi.spyOn(server.deps.jobs, 'wake').mockImplementation(() => {})
  for (const event_ts of [1, 2]) await deliver(server, { event: 'meeting.ended', event_ts, payload })
  expect(sampleOf(await readLater(), 'parley_webhook_backlog')).toBe(2)
  expect(sampleOf(await readLater(), 'parley_mail_waiting')).toBe(0)
})

test('runs of jobs are counted, those that fail too, and a job that has not run yet is shown', async () => {
  const metrics = new Metrics()
  const jobs = new JobRunner()
  const first = Promise.withResolvers<number>()
  let result = first.promise
  const job: Job = {
    name: 'a job',
    every: 60_000,
    run: () => result,
  }
  await jobs.start({ ...server.deps, metrics }, [job])
  const read = async () => parseMetrics(await metrics.registry.metrics())
  const counts = async () => {
    const samples = await read()
    return ['ok', 'failed'].map((result) => sampleOf(samples, 'parley_jobs_total', { job: 'a job', result }))
  }
  expect(await counts()).toEqual([0, 0])
  expect(sampleOf(await read(), 'parley_job_interval_seconds', { job: 'a job' })).toBe(60)
  first.reject(new Error('Not this time'))
  await jobs.idle(job)
  expect(await counts()).toEqual([0, 1])
  expect(sampleOf(await read(), 'parley_job_last_success_timestamp_seconds')).toBeUndefined()
  result = Promise.resolve(0)
  jobs.wake(job)
  await jobs.idle(job)
  expect(await counts()).toEqual([1, 1])
  const at = sampleOf(await read(), 'parley_job_last_success_timestamp_seconds', { job: 'a job' })
  expect(Math.abs((at ?? 0) - Date.now() / 1000)).toBeLessThan(60)
  await jobs.close()
})

test('the newest backup, its schedule and the disk are measured', async () => {
  const BACKUP_TO = await mkdtemp(join(tmpdir(), 'parley-metrics-'))
  onTestFinished(() => rm(BACKUP_TO, { recursive: true, force: true }))
  const time = Date.parse('2026-11-21T10:00:00Z')
  await writeFile(join(BACKUP_TO, backupName(time)), 'twelve bytes')
  await writeFile(join(BACKUP_TO, backupName(time - 86_400_000)), 'an older one')
  const quiet = await startTestApp({ config: { BACKUP_TO, BACKUP_HOURS: 200_000 } })
  const samples = await readMetrics(quiet)
  expect(sampleOf(samples, 'parley_backup_last_success_timestamp_seconds')).toBe(time / 1000)
  expect(sampleOf(samples, 'parley_backup_bytes')).toBe(12)
  expect(sampleOf(samples, 'parley_backup_interval_seconds')).toBe(200_000 * 3600)
  const [free = 0, size = 0] = ['free', 'size'].map((what) => sampleOf(samples, `parley_disk_${what}_bytes`))
  expect(free).toBeGreaterThan(0)
  expect(size).toBeGreaterThan(free)
  await quiet.close()
})

test('what is off, or has not happened, has no value', async () => {
  const names = (await readMetrics(server)).map(({ name }) => name)
  expect(names).not.toContain('parley_redis_up')
  expect(names).not.toContain('parley_backup_last_success_timestamp_seconds')
  expect(names).not.toContain('parley_backup_bytes')
  expect(names).not.toContain('parley_backup_interval_seconds')
  expect(names).not.toContain('parley_certificate_expiry_timestamp_seconds')
})

test('without the database the others are served', async () => {
  const cutOff = await startTestApp()
  await cutOff.deps.db.destroy()
  const samples = await readMetrics(cutOff)
  expect(sampleOf(samples, 'parley_webhook_backlog')).toBeUndefined()
  expect(sampleOf(samples, 'parley_zoom_hosts')).toBeUndefined()
  expect(sampleOf(samples, 'parley_disk_free_bytes')).toBeGreaterThan(0)
  await cutOff.close()
})

test('a database that hangs keeps no scrape waiting, and is not asked again meanwhile', async () => {
  const connect = vi.fn(() => new Promise<never>(() => {}))
  const db = openDatabase(new PostgresDialect({ pool: { connect, end: async () => {}, options: {} } }))
  const metrics = new Metrics()
  const measure = registerGauges({ ...server.deps, db, metrics })
  await measure()
  expect(sampleOf(parseMetrics(await metrics.registry.metrics()), 'parley_disk_free_bytes')).toBeGreaterThan(0)
  const begun = connect.mock.calls.length
  await measure()
  expect([begun > 0, connect.mock.calls.length]).toEqual([true, begun])
})

/** Labels by the lists that their values come from. */
const LABELS: Record<string, readonly string[] | RegExp> = {
  action: [...USER_ACTIONS, 'mute-all', 'unmute-all', 'undo-mute-all', 'next-speaker'],
  code: /^(\d{3}|none)$/,
  event: [...ZOOM_EVENTS, 'other'],
  job: JOBS.map(({ name }) => name),
  kind: [
    ...['console', 'phone', 'user', 'host_phone', 'incremental', 'major', 'minor', 'weakcb'],
    ...MailContent.options.map(({ shape }) => shape.kind.value),
  ],
  le: /^(\+Inf|[\d.]+)$/,
  major: /^\d+$/,
  method: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
  minor: /^\d+$/,
  operation: /^[a-z]+(_[a-z]+)*$/,
  patch: /^\d+$/,
  problem: [
    ...['reconnect_needed', 'scopes_missing', 'room_settings', 'archive_full'],
    ...['basic_plan', 'cloud_recording_off', 'no_audio_files', 'zoom_storage'],
  ],
  result: [
    ...['ok', 'failed', 'wrong', 'throttled', 'refused', 'second_step'],
    ...['accepted', 'repeated', 'ignored', 'handled', 'sent', 'dropped'],
  ],
  role: ['master', 'host', 'assistant', 'phone', 'unknown'],
  site: ['public', 'master', 'host', 'phone', 'meeting'],
  space: /^[a-z]+(_[a-z]+)*$/,
  state: ['in_step', 'alone', 'connected', 'reconnect_needed', 'not_connected'],
  status: /^[1-5]\d\d$/,
  type: /^[A-Z][A-Za-z]+$/,
  version: /^v?\d+\.\d+\.\d+/,
}

test('no label names a person, a host or an address', async () => {
  const host = await buildZoomHost(server)
  const phone = await buildPhone(server, host, await buildRoomUser(server, host))
  const { login_name } = await buildAssistant(server, host, 'manager')
  for (const action of ['mute', 'unmute', 'lower-hand', 'switch']) await act(host, `/host/users/${phone.id}/${action}`)
  for (const on of ['mute', 'unmute']) await act(host, `/host/trigger-bulk-mute/${on}`)
  for (const username of [host.username, login_name, 'a stranger@example.com'])
    await call(server, 'POST', '/auth/host/login', { body: { username, password: 'a guess' } })
  await deliver(server, { event: `of ${host.email}`, event_ts: 1, payload: { account_id: host.email } })
  await deliver(server, { event: 'meeting.ended', event_ts: 1, payload: { object: { id: host.email } } })
  for (const url of [`/${host.id}`, `/api/admin/hosts/${host.id}`, `/api/host/users/${phone.id}`, '/login?x=secret'])
    await server.app.inject({ url, headers: { host: 'localhost', authorization: `Bearer ${host.token}` } })
  await server.deps.jobs.idle()
  server.deps.metrics.countMail('test', 'dropped')

  const samples = await readMetrics(server)
  expect(new Set(samples.map(({ name }) => name)).size).toBeGreaterThan(60)
  const routes = new Set([...server.app.routeList.keys()].map((route) => route.split(' ')[1]))
  const isKnown = ([label, value]: [string, string]) => {
    if (label === 'route') return routes.has(value)
    const values = LABELS[label]
    return values instanceof RegExp ? values.test(value) : (values?.includes(value) ?? false)
  }
  const unknown = samples.flatMap(({ name, labels }: Sample) =>
    Object.entries(labels)
      .filter((pair) => !isKnown(pair))
      .map(([label, value]) => `${name} ${label}=${value}`),
  )
  expect(unknown).toEqual([])
})
