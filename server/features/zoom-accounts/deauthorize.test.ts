import { mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '../../../test/eventually.ts'
import {
  buildHost,
  buildMaster,
  buildPhone,
  buildRoomUser,
  call,
  type TestHost,
} from '../../../test/factories/accounts.ts'
import { buildZoomHost, consent, setupWithZoom } from '../../../test/zoom/emulated-zoom.ts'
import { deliver, receiveWebhooks, webhooksProcessed, zoomIdsOf } from '../../../test/zoom/webhooks.ts'
import { purgeDeauthorized } from './deauthorize-purge.ts'

const DAY = 24 * 3_600_000
const ANA = 'ana.at.zoom@example.com'
let now = Date.parse('2026-11-21T10:00:00Z')
let host: TestHost
let ids: { account_id: string; host_id: string }

const server = await setupWithZoom({ now: () => now })
beforeEach(async () => {
  now += 100 * DAY
  host = await buildHost(server)
  await connect()
  ids = await zoomIdsOf(server, host)
  await receiveWebhooks(server)
})

const connect = async (email = ANA) => consent(server, email, { host_id: host.id, as: await buildMaster(server) })
const takeAway = async (more: object = {}) => {
  now += 60_000
  await server.control('/deauthorize', { email: ANA, ...more })
  await webhooksProcessed(server)
}
const fetchConnection = async (of = host) =>
  (await call(server, 'GET', `/admin/hosts/${of.id}`, { as: await buildMaster(server) })).body.data
const recordings = () => server.deps.db.selectFrom('recordings').selectAll().orderBy('started_at').execute()

async function addRecording(email: string, start_time: string) {
  now += 60_000
  const { recording } = await server.control('/recordings', { email, start_time, duration_minutes: 9 })
  await webhooksProcessed(server)
  return recording as { uuid: string }
}

const day = (ago: number) => new Date(now - ago * DAY).toISOString().replace(/\.\d+/, '')

/** Creates a file in the archive, with the row of a recording. */
async function archive(uuid: string, name: string) {
  const folder = join(server.deps.config.DATA_DIR, 'archive', host.id)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, name), 'sound')
  const archived_path = `archive/${host.id}/${name}`
  await server.deps.db.updateTable('recordings').set({ archived_path }).where('meeting_uuid', '=', uuid).execute()
  return () =>
    stat(join(folder, name)).then(
      () => true,
      () => false,
    )
}

/** Returns all rows of all tables as text. */
async function everything(): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public'`.execute(server.deps.db)
  const all = []
  for (const { name } of rows) {
    const held = await sql<{ row: unknown }>`select to_json(t) as row from ${sql.table(name)} as t`.execute(
      server.deps.db,
    )
    all.push(JSON.stringify(held.rows.map(({ row }) => row)))
  }
  return all.join('\n')
}

describe('app_deauthorized', () => {
  test('removing the app disconnects that host at once, and no other', async () => {
    const other = await buildZoomHost(server)
    const phone = await buildPhone(server, host, await buildRoomUser(server, host))
    await takeAway()
    expect(await fetchConnection()).toMatchObject({
      ...{ zoom_status: 'not_connected', zoom_user_email: null },
      rooms: [{ zoom_meeting_id: null }],
    })
    await expect(server.deps.zoom.tokens.accessToken(host.id)).rejects.toMatchObject({ code: 'room_not_connected' })
    expect(await call(server, 'POST', '/mobile/join-ticket', { as: phone })).toMatchObject({
      ...{ status: 409, body: { code: 'room_not_connected' } },
    })
    expect(await server.deps.db.selectFrom('zoom_links').select('host_id').execute()).toEqual([{ host_id: other.id }])
    expect(await fetchConnection(other)).toMatchObject({ zoom_status: 'connected' })
  })

  test("deletes the account's data and files nine days later, and no other account's", async () => {
    const other = await buildZoomHost(server)
    const theirs = await addRecording(other.email, day(1))
    const mine = await addRecording(ANA, day(2))
    const isThere = await archive(mine.uuid, 'mine.m4a')
    await server.control(`/meetings/${(await fetchConnection()).rooms[0].zoom_meeting_id}/start`, {})
    await takeAway()

    now += 9 * DAY - 120_000
    expect(await purgeDeauthorized.run(server.deps)).toBe(0)
    expect(await recordings()).toHaveLength(2)
    now += DAY
    expect(await purgeDeauthorized.run(server.deps)).toBe(1)
    expect(await isThere()).toBe(false)
    expect(await recordings()).toMatchObject([{ meeting_uuid: theirs.uuid }])
    const left = await everything()
    for (const trace of [ids.account_id, ids.host_id, ANA, mine.uuid]) expect(left).not.toContain(trace)
    const done = await server.deps.db.selectFrom('audit').selectAll().where('action', '=', 'zoom_data_purged').execute()
    expect(done).toMatchObject([{ host_id: host.id, actor_role: 'system', after: { recordings: 1 } }])
    expect(await purgeDeauthorized.run(server.deps)).toBe(0)
  })

  test('deletes everything at once without consent to retention, however often the event arrives', async () => {
    const mine = await addRecording(ANA, day(2))
    const isThere = await archive(mine.uuid, 'mine.m4a')
    await server.control('/options', { webhook_copies: 3 })
    await takeAway({ user_data_retention: 'false' })
    await eventually(async () => expect(await recordings()).toEqual([]))
    expect(await isThere()).toBe(false)
    const left = await everything()
    for (const trace of [ANA, mine.uuid]) expect(left).not.toContain(trace)

    const payload = {
      account_id: ids.account_id,
      user_id: ids.host_id,
      client_id: 'client',
      user_data_retention: 'false',
    }
    await deliver(server, { event: 'app_deauthorized', payload: { ...payload, event_ts: now } })
    await webhooksProcessed(server)
    expect(await fetchConnection()).toMatchObject({ zoom_status: 'not_connected' })
  })

  test('keeps the data if the user consented to retention', async () => {
    await addRecording(ANA, day(2))
    await takeAway({ user_data_retention: 'true' })
    now += 30 * DAY
    expect(await purgeDeauthorized.run(server.deps)).toBe(0)
    expect(await recordings()).toHaveLength(1)
  })

  test('purges only the removed account when the host has connected another since', async () => {
    await addRecording(ANA, day(2))
    await takeAway()
    await connect('another@example.com')
    const theirs = await addRecording('another@example.com', day(1))
    now += 10 * DAY
    expect(await purgeDeauthorized.run(server.deps)).toBe(1)
    expect(await recordings()).toMatchObject([{ meeting_uuid: theirs.uuid }])
    expect(await fetchConnection()).toMatchObject({ zoom_status: 'connected', zoom_user_email: 'another@example.com' })
  })

  test('reconnecting in time keeps everything', async () => {
    await addRecording(ANA, day(2))
    await takeAway()
    now += DAY
    await connect()
    now += 10 * DAY
    await purgeDeauthorized.run(server.deps)
    expect(await recordings()).toHaveLength(1)
    expect(await server.deps.db.selectFrom('zoom_purges').selectAll().execute()).toEqual([])
  })

  test('a late event does not end a newer consent', async () => {
    await server.control('/options', { webhook_hold: true })
    await takeAway()
    now += 60_000
    await connect()
    await server.control('/webhooks/release', {})
    await webhooksProcessed(server)
    expect(await fetchConnection()).toMatchObject({ zoom_status: 'connected' })
  })

  test('also wipes an unclaimed consent', async () => {
    const master = await buildMaster(server)
    const email = 'unclaimed@example.com'
    const end = await consent(server, email, { as: master })
    now += 1000
    await server.control('/deauthorize', { email })
    await webhooksProcessed(server)
    expect(await server.deps.db.selectFrom('oauth_results').selectAll().where('email', '=', email).execute()).toEqual(
      [],
    )
    const claim = {
      username: 'late',
      email,
      password: 'long enough',
      oauth_result_id: end.searchParams.get('oauth_result'),
    }
    expect((await call(server, 'POST', '/admin/hosts/integrate', { as: master, body: claim })).status).toBe(422)
  })

  test('the event that our own disconnecting causes does not start a purge', async () => {
    await addRecording(ANA, day(2))
    now += 1000
    await call(server, 'PUT', `/admin/hosts/${host.id}`, {
      as: await buildMaster(server),
      body: { zoom_user_email: '' },
    })
    await webhooksProcessed(server)
    const { deliveries } = await server.control('/webhooks', undefined)
    expect((deliveries as { event: string }[]).map(({ event }) => event)).toContain('app_deauthorized')
    now += 30 * DAY
    await purgeDeauthorized.run(server.deps)
    expect(await recordings()).toHaveLength(1)
  })

  test('ignores another app’s event, and one about an unknown user', async () => {
    const payload = { account_id: ids.account_id, user_id: ids.host_id, client_id: 'another app', event_ts: now }
    for (const one of [payload, { ...payload, client_id: 'client', user_id: 'unknown' }])
      expect((await deliver(server, { event: 'app_deauthorized', payload: one })).statusCode).toBe(200)
    await webhooksProcessed(server)
    expect(await fetchConnection()).toMatchObject({ zoom_status: 'connected' })
  })
})
