import { beforeEach, describe, expect, test } from 'vitest'
import { buildMaster, call, openSession, type TestHost } from '../../../test/factories/accounts.ts'
import { buildZoomHost, setupWithZoom } from '../../../test/zoom/emulated-zoom.ts'
import { deliver, receiveWebhooks, webhooksProcessed, zoomIdsOf } from '../../../test/zoom/webhooks.ts'
import { clearRecordingMarks } from './jobs.ts'

const MINUTE = 60_000
const WEEK = 7 * 24 * 60 * MINUTE
let now = Date.parse('2026-11-21T10:00:00Z')
let host: TestHost

const server = await setupWithZoom({ now: () => now })
beforeEach(async () => {
  host = await buildZoomHost(server, { room_name: 'Morning room' })
  await receiveWebhooks(server)
})

interface Row {
  file_name: string
  meeting_data: { uuid: string }
}

async function addRecording(start_time: string, more: object = {}, of = host): Promise<string> {
  now += MINUTE
  const { recording } = await server.control('/recordings', {
    email: of.email,
    start_time,
    duration_minutes: 9,
    ...more,
  })
  return (recording as { uuid: string }).uuid
}

/** Performs an action of the host in Zoom's portal, later than the previous one. */
async function inPortal(action: 'trash' | 'recover' | 'delete', uuids: string[], of = host) {
  now += 5 * MINUTE
  await server.control('/recordings/batch', { email: of.email, action, uuids })
}
async function rename(uuid: string, topic: string, form = 'example') {
  now += 5 * MINUTE
  await server.control('/recordings/rename', { email: host.email, uuid, topic, form })
}
const hold = (webhook_hold: boolean) => server.control('/options', { webhook_hold })
const release = (order: string) => server.control('/webhooks/release', { order })

/** Reads the index without calling Zoom. */
async function listRecordings(of = host): Promise<Row[]> {
  await webhooksProcessed(server)
  return (await call(server, 'GET', '/recordings?fetch_all=true', { as: of })).body.data.recordings
}
const uuids = async (of = host) => (await listRecordings(of)).map((row) => row.meeting_data.uuid)

const AWKWARD = ['/aB+cdefghijklmnopqrst==', 'aB//cdefghijklmnopqrstu==', 'aB/cdefghijklmnopqrstuv==']

test('follows single recordings trashed, recovered and deleted at Zoom', async () => {
  const [kept = '', moved = ''] = [
    await addRecording('2026-11-19T08:00:00Z'),
    await addRecording('2026-11-20T08:00:00Z'),
  ]
  expect(await uuids()).toEqual([moved, kept])
  const { account_id, host_id } = await zoomIdsOf(server, host)
  const [row] = await server.deps.db.selectFrom('recordings').selectAll().where('meeting_uuid', '=', moved).execute()
  const file = { id: row?.zoom_file_id, file_type: 'M4A', status: 'completed', download_url: 'https://zoom.us/rec/x' }
  const object = {
    ...{ uuid: moved, id: Number(row?.meeting_id), host_id, start_time: '2026-11-20T08:00:00Z', type: 3 },
    recording_files: [file],
  }
  const seen = []
  for (const event of ['recording.trashed', 'recording.recovered', 'recording.deleted']) {
    now += 5 * MINUTE
    await deliver(server, { event, event_ts: now, payload: { account_id, operator: host.email, object } })
    seen.push(await uuids())
  }
  expect(seen).toEqual([[kept], [moved, kept], [kept]])
})

describe.each(['sent', 'reversed'])('events on a batch of recordings, arriving %s,', (order) => {
  test('change exactly those, whatever their UUIDs contain', async () => {
    await hold(true)
    const made = []
    for (const [day, uuid] of AWKWARD.entries()) made.unshift(await addRecording(`2026-11-1${day}T08:00:00Z`, { uuid }))
    const kept = await addRecording('2026-11-20T08:00:00Z')
    await release(order)
    expect(await uuids()).toEqual([kept, ...made])

    await inPortal('trash', AWKWARD)
    await release(order)
    expect(await uuids()).toEqual([kept])
    await inPortal('recover', AWKWARD)
    await release(order)
    expect(await uuids()).toEqual([kept, ...made])
    await inPortal('delete', AWKWARD)
    await release(order)
    expect(await uuids()).toEqual([kept])
  })

  test('also apply to recordings that become known later', async () => {
    await hold(true)
    const [trashed, back] = [await addRecording('2026-11-19T08:00:00Z'), await addRecording('2026-11-20T08:00:00Z')]
    await inPortal('trash', [trashed, back])
    await inPortal('recover', [back])
    await release(order)
    expect(await uuids()).toEqual([back])
  })
})

test('events are forgotten after a week, and what they changed stays', async () => {
  const [kept, trashed] = [await addRecording('2026-11-19T08:00:00Z'), await addRecording('2026-11-20T08:00:00Z')]
  await inPortal('trash', [trashed])
  expect(await uuids()).toEqual([kept])
  const marks = () => server.deps.db.selectFrom('recording_marks').select(['meeting_uuid', 'value']).execute()

  now += WEEK
  await clearRecordingMarks.run(server.deps)
  expect(await marks()).toEqual([{ meeting_uuid: trashed, value: 'trashed' }])
  now += 1
  expect(await clearRecordingMarks.run(server.deps)).toBe(1)
  expect(await marks()).toEqual([])
  expect(await uuids({ ...host, token: await openSession(server, host.id) })).toEqual([kept])
})

test.each(['example', 'schema'])('shows a new topic from Zoom’s %s, and ignores an older event', async (form) => {
  await hold(true)
  const uuid = await addRecording('2026-11-20T08:00:00Z')
  await rename(uuid, 'First name', form)
  await rename(uuid, 'Second name', form)
  await release('reversed')
  expect(await listRecordings()).toMatchObject([{ file_name: expect.stringContaining('Second name') }])
})

test('ignores the echo of our own trash; a recovery at Zoom restores it', async () => {
  const uuid = await addRecording('2026-11-20T08:00:00Z')
  await listRecordings()
  await call(server, 'DELETE', `/recordings/meetings/${encodeURIComponent(uuid)}/recordings`, { as: host })
  expect(await uuids()).toEqual([])
  const rows = await server.deps.db.selectFrom('recordings').selectAll().execute()
  expect(rows).toMatchObject([{ trashed_at: expect.any(Date) }])
  await inPortal('recover', [uuid])
  expect(await uuids()).toEqual([uuid])
})

test("a recording trashed at Zoom stays away while Zoom's list still has it", async () => {
  const uuid = await addRecording('2026-11-20T08:00:00Z')
  await listRecordings()
  const { account_id } = await zoomIdsOf(server, host)
  now += MINUTE
  const payload = { account_id, operation: 'trash_account_recordings', object: { meeting_uuids: [uuid] } }
  await deliver(server, { event: 'recording.batch_trashed', event_ts: now, payload })
  await webhooksProcessed(server)
  await call(server, 'GET', '/recordings?fetch_live=true', { as: host }) // the emulator still lists it
  expect(await uuids()).toEqual([])
  now += 10 * MINUTE
  await call(server, 'GET', '/recordings?fetch_live=true', { as: host })
  expect(await uuids()).toEqual([uuid])
})

/** Sends Zoom's event about a sitting whose recording is ready. */
async function completed(uuid: string, more: object = {}, file: object = {}) {
  const { account_id, host_id } = await zoomIdsOf(server, host)
  const recording_files = [
    { id: 'one', file_type: 'M4A', status: 'completed', download_url: 'https://zoom.us/rec/x', ...file },
  ]
  const object = {
    ...{ uuid, id: Number(host.rooms[0]?.zoom_meeting_id), host_id, type: 3, start_time: '2026-11-20T08:00:00Z' },
    ...{ recording_files, ...more },
  }
  return { event: 'recording.completed', event_ts: now, payload: { account_id, object } }
}

test('merges files that arrive in several events', async () => {
  for (const [at, id] of ['one', 'two', 'one'].entries()) {
    now += MINUTE
    await deliver(
      server,
      await completed('aB3xYz9QTkWq1LmN5oPrSg==', {}, { id, recording_start: `2026-11-20T08:0${at}:00Z` }),
    )
  }
  expect(await listRecordings()).toHaveLength(2)
})

test('the later of two events on a file wins, in either order', async () => {
  const older = await completed('aB3xYz9QTkWq1LmN5oPrSg==', { topic: 'Old' })
  now += MINUTE
  await deliver(server, await completed('aB3xYz9QTkWq1LmN5oPrSg==', { topic: 'New' }))
  await deliver(server, older)
  expect(await listRecordings()).toMatchObject([{ file_name: expect.stringContaining('New') }])
})

test('an event on one sitting does not affect another', async () => {
  const [one, two] = [await addRecording('2026-11-19T08:00:00Z'), await addRecording('2026-11-20T08:00:00Z')]
  await inPortal('trash', [two])
  now += 5 * MINUTE
  await deliver(server, await completed(one, { start_time: '2026-11-19T08:00:00Z' }, { file_type: 'MP4' }))
  expect(await uuids()).toEqual([one])
})

test("a recording of the room's previous meeting belongs to the room", async () => {
  const number = host.rooms[0]?.zoom_meeting_id
  await server.control(`/meetings/${number}/start`, {})
  await webhooksProcessed(server)
  await server.deps.db.updateTable('rooms').set({ zoom_meeting_id: '99999999999' }).execute()
  now += MINUTE
  await server.control('/options', { processing_ms: 0 })
  await server.control(`/meetings/${number}/end`, {})
  await server.control('/recordings/finish', {})
  expect(await listRecordings()).toHaveLength(1)
})

test('ignores another account’s event on a recording', async () => {
  const uuid = await addRecording('2026-11-20T08:00:00Z')
  const other = await buildZoomHost(server)
  await listRecordings()
  const ids = await zoomIdsOf(server, other)
  now += 5 * MINUTE
  const object = { uuid, id: Number(host.rooms[0]?.zoom_meeting_id), start_time: '2026-11-20T08:00:00Z', type: 3 }
  const theirs = { ...object, host_id: ids.host_id, host_email: host.email, recording_files: [] }
  const events = [
    ['recording.trashed', theirs],
    ['recording.deleted', theirs],
    ['recording.batch_trashed', { meeting_uuids: [uuid] }],
    ['recording.batch_deleted', { meetings: [{ meeting_uuid: uuid, recording_file_ids: null }] }],
  ] as const
  for (const [event, said] of events)
    await deliver(server, { event, event_ts: now, payload: { account_id: ids.account_id, object: said } })
  const renamed = { account_id: ids.account_id, object: { ...theirs, topic: 'Stolen' } }
  await deliver(server, { event: 'recording.renamed', event_ts: now, payload: renamed })
  now += MINUTE
  await deliver(server, await completed(uuid, { topic: 'Morning room' }, { file_type: 'MP4' }))
  expect(await listRecordings()).toMatchObject([{ file_name: expect.stringContaining('Morning room') }])
  expect(await listRecordings(other)).toEqual([])
})

describe('the storage warning', () => {
  const warnings = async () => {
    await webhooksProcessed(server)
    const { body } = await call(server, 'GET', `/admin/hosts/${host.id}`, { as: await buildMaster(server) })
    return body.data.zoom_warnings as { code: string; message: string }[]
  }
  const use = async (used_percentage: number) => {
    now += MINUTE
    await server.control('/storage', { email: host.email, used_percentage })
  }

  test("appears when Zoom's storage is almost full, and goes when it is emptier", async () => {
    await use(89.9)
    expect(await warnings()).toEqual([])
    await use(90)
    expect(await warnings()).toMatchObject([{ code: 'zoom_storage', message: expect.stringContaining('90 % full') }])
    await use(100)
    expect(await warnings()).toMatchObject([{ message: expect.stringContaining('is full') }])
    await use(40)
    expect(await warnings()).toEqual([])
  })

  test('is not changed by a late event', async () => {
    await hold(true)
    await use(95)
    await use(20)
    await release('reversed')
    expect(await warnings()).toEqual([])
  })
})
