import { readFileSync } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../eventually.ts'
import { freePort } from '../servers/free-port.ts'
import { startPostgres, type TestPostgres } from '../servers/postgres.ts'
import {
  type DataFolder,
  dataFolder,
  http,
  PROGRAM_WITHOUT_LOCK,
  type ServerProcess,
  startServerProcess,
} from '../servers/server-process.ts'
import { webhookHeaders } from '../zoom/webhook-headers.ts'
import { connectHost, type ExternalZoom, startZoomFor } from '../zoom/zoom-over-http.ts'

// Runs real processes on one PostgreSQL, with the emulator as Zoom, for behaviour that needs two of them, one that is
// killed during work, or a slow Zoom while others are busy.

const SECRET = 'the-webhook-secret'
const ANA = { username: 'ana', email: 'ana@example.com', password: 'correct horse', subscription_type: 12 }
const audio = readFileSync(new URL('../../emulator/audio/opening.m4a', import.meta.url))

let postgres: TestPostgres
let db: pg.Client
let zoom: ExternalZoom
let folder: DataFolder
let env: Record<string, string>
let one: ServerProcess
let two: ServerProcess
let token: string
let zoomIds: { account_id: string; host_id: string; meeting_id: string }

beforeAll(async () => {
  postgres = await startPostgres()
  folder = await dataFolder()
  zoom = await startZoomFor(await freePort())
  env = {
    ...zoom.env,
    DATABASE_URL: postgres.urlOf('postgres'),
    DATA_DIR: folder.path,
    SECRET_KEY: 'a secret key for tests alone, 32 bytes or more',
    ZOOM_WEBHOOK_SECRET: SECRET,
  }
  one = await startServerProcess(env)
  two = await startServerProcess({ ...env, PORT: String(await freePort()) }, [], PROGRAM_WITHOUT_LOCK)
  db = new pg.Client({ connectionString: env.DATABASE_URL })
  await db.connect()
  const host = await connectHost(one, zoom, ANA)
  token = host.token
  const { rows } = await db.query('select zoom_account_id as account_id, zoom_user_id as host_id from zoom_links')
  zoomIds = { ...rows[0], meeting_id: host.rooms[0].zoom_meeting_id }
})
afterAll(async () => {
  await Promise.all([one.kill('SIGKILL'), two.kill('SIGKILL')])
  await db.end()
  await zoom.close()
  await postgres.stop()
  await folder.remove()
})

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().replace(/\.\d+/, '')
async function addRecording(start_time: string): Promise<{ recording_files: { download_url: string }[] }> {
  const body = { email: ANA.email, start_time, duration_minutes: 4, audio: 'opening.m4a', notify: false }
  return (await zoom.control('/recordings', body)).recording
}
const recordings = (server: ServerProcess, query: string) => http(server, 'GET', `/recordings?${query}`, { token })

/** Sends an event like Zoom; resolves with the status of the response. */
async function sendWebhook(event: object): Promise<number> {
  const body = JSON.stringify(event)
  const headers = webhookHeaders(body, SECRET, Date.now())
  return (await fetch(`http://127.0.0.1:${one.port}/api/zoom/webhooks`, { method: 'POST', headers, body })).status
}
function meetingStarted(uuid: string) {
  const { account_id, host_id, meeting_id } = zoomIds
  const object = { id: meeting_id, uuid, host_id, topic: 'ROOM-1', type: 3, start_time: new Date().toISOString() }
  return { event: 'meeting.started', event_ts: Date.now(), payload: { account_id, object } }
}

test('fifty calls on two processes with an expired token cause one refresh, and all succeed', async () => {
  for (const days of [1, 20, 40]) await addRecording(daysAgo(days))
  await zoom.control('/tokens/expire', { email: ANA.email })
  await db.query(`update zoom_links set access_expires_at = now() - interval '1 hour'`)
  await zoom.control('/faults', { match: { path: '/oauth/token' }, kind: 'slow', delay_ms: 100, times: 0 })
  const asked = Array.from({ length: 50 }, (_, at) =>
    recordings(at % 2 ? one : two, `fetch_live=true&fetch_all=true&from=${daysAgo(at + 1).slice(0, 10)}`),
  )
  for (const { status, body } of await Promise.all(asked)) {
    expect(status).toBe(200)
    expect(body.data.stale).toBe(false)
  }
  expect((await zoom.control('/faults')).faults).toMatchObject([{ hits: 1 }])
  await zoom.control('/faults', undefined, 'DELETE')
})

test('answers webhooks before processing them, however many arrive', async () => {
  const holder = await holdRooms()
  const sender = async (name: string) => {
    for (let sent = 0; sent < 75; sent++) expect(await sendWebhook(meetingStarted(`${name}${sent}`))).toBe(200)
  }
  await Promise.all(['a', 'b', 'c', 'd'].map(sender)) // while none of them can be processed
  expect(await count('sittings')).toBe(0)
  await holder.release()
})

test('pages that do not need Zoom work while it hangs, and the others name the cause', async () => {
  // Longer than the server waits for Zoom: the calls hang until the browser disconnects.
  await zoom.control('/faults', { match: { path: '/v2/*' }, kind: 'slow', delay_ms: 600_000, times: 30 })
  const leaving = new AbortController()
  const headers = { authorization: `Bearer ${token}` }
  const waiting = Array.from({ length: 30 }, (_, at) => {
    const url = `http://127.0.0.1:${one.port}/api/recordings?fetch_live=true&from=${daysAgo(at + 1).slice(0, 10)}`
    return fetch(url, { headers, signal: leaving.signal }).catch(() => null)
  })
  // Six calls of a host wait for Zoom at a time, and the others for them.
  await eventually(async () => expect((await zoom.control('/faults')).faults[0].hits).toBeGreaterThanOrEqual(6))
  for (const path of ['/host/users', '/host/dashboard', '/host/profile'])
    expect((await http(one, 'GET', path, { token })).status).toBe(200)
  leaving.abort()
  await Promise.all(waiting)
  await zoom.control('/faults', undefined, 'DELETE')

  await zoom.control('/faults', { match: { path: '/v2/*' }, kind: 'html', status: 200, times: 0 })
  expect((await recordings(two, 'fetch_live=true')).body.data.stale).toBe(true)
  const uuid = (await recordings(two, 'fetch_all=true')).body.data.recordings[0].meeting_data.uuid
  const trash = await http(two, 'DELETE', `/recordings/meetings/${encodeURIComponent(uuid)}/recordings`, { token })
  expect(trash).toMatchObject({ status: 502, body: { message: expect.stringMatching(/^Zoom does not answer/) } })
  await zoom.control('/faults', undefined, 'DELETE')
})

test('an event whose process was killed while processing it is processed once, after the next start', async () => {
  await two.kill('SIGTERM')
  await eventually(async () => expect(await count('zoom_events where processed_at is null')).toBe(0))
  const holder = await holdRooms()
  const event = meetingStarted('killed-in-the-middle==')
  expect(await sendWebhook(event)).toBe(200)
  await eventually(async () => expect(await count(`pg_stat_activity where wait_event_type = 'Lock'`)).toBe(1))
  await one.kill('SIGKILL')
  await holder.release()
  const sitting = `sittings where meeting_uuid = 'killed-in-the-middle=='`
  expect(await count(sitting)).toBe(0)

  await db.query(`update zoom_events set lease_until = now() - interval '1 second' where processed_at is null`) // a minute later
  one = await startServerProcess(env)
  await eventually(async () => expect(await count('zoom_events where processed_at is null')).toBe(0))
  expect(await sendWebhook(event)).toBe(200)
  await eventually(async () => expect(await count(`${sitting} and is_live`)).toBe(1))
  const { rows } = await db.query(`select attempts from zoom_events order by received_at desc limit 1`)
  expect(rows).toEqual([{ attempts: 2 }])
})

test('a recording whose process was killed while archiving resumes, and is archived once', async () => {
  await db.query('update hosts set recording_enabled = false') // so that nothing is archived yet
  const [file] = (await addRecording(daysAgo(0))).recording_files
  const key = file?.download_url.split('/').at(-1)
  await recordings(one, 'fetch_live=true')
  await one.kill('SIGTERM')
  await db.query(
    `update recordings set archive_next_attempt_at = 'infinity' where started_at < now() - interval '12 hours'`,
  )
  await db.query('update hosts set recording_enabled = true')
  await zoom.control('/faults', { match: { path: `/file/${key}` }, kind: 'stall', times: 0 })
  one = await startServerProcess(env)
  const { rows } = await db.query(
    `select recordings.id, host_id from recordings join rooms on rooms.id = room_id order by started_at desc limit 1`,
  )
  const path = join(folder.path, 'archive', rows[0].host_id, `${rows[0].id}.m4a`)
  const half = Math.floor((audio.length - 1) / 2) + 1
  await eventually(async () => expect((await stat(path)).size).toBe(half))
  await one.kill('SIGKILL')
  await zoom.control('/faults', undefined, 'DELETE')
  expect(await count("recordings where archived_path is not null and started_at > now() - interval '12 hours'")).toBe(0)

  await writeFile(path, Buffer.alloc(half, 'x')) // marks the bytes of the first attempt
  await db.query(`update recordings set archive_lease_until = now() - interval '1 second'`) // a minute later
  const { rows: before } = await db.query('select storage_used_bytes as bytes from hosts')
  one = await startServerProcess(env)
  await eventually(async () =>
    expect(await count(`recordings where id = '${rows[0].id}' and archived_path is not null`)).toBe(1),
  )
  expect(await readFile(path)).toEqual(Buffer.concat([Buffer.alloc(half, 'x'), audio.subarray(half)]))
  const { rows: after } = await db.query('select storage_used_bytes as bytes from hosts')
  expect(after[0].bytes - before[0].bytes).toBe(audio.length)
})

/** Blocks all changes of a room. */
async function holdRooms() {
  const holder = new pg.Client({ connectionString: env.DATABASE_URL })
  await holder.connect()
  await holder.query('begin; select from rooms for update')
  return {
    async release() {
      await holder.query('rollback')
      await holder.end()
    },
  }
}

async function count(what: string): Promise<number> {
  return (await db.query(`select count(*)::int as count from ${what}`)).rows[0].count
}
