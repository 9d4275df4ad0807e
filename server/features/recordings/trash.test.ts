import { beforeEach, describe, expect, test, vi } from 'vitest'
import { call, type TestHost } from '../../../test/factories/accounts.ts'
import { buildZoomHost, listRecordings, putRecording, setupWithZoom } from '../../../test/zoom/emulated-zoom.ts'
import { receiveWebhooks, webhooksProcessed } from '../../../test/zoom/webhooks.ts'
import { trashRecording } from '../../zoom/calls.ts'

const NOW = Date.parse('2026-11-21T10:00:00Z')
let now = NOW
let host: TestHost

const server = await setupWithZoom({ now: () => now })
beforeEach(async () => {
  now = NOW
  host = await buildZoomHost(server, { room_name: 'Morning room' })
})

const addRecording = (start_time: string, more?: object) => putRecording(server, host, start_time, more)
const list = (query?: string, as = host) => listRecordings(server, as, query)
const trash = (meeting: string, as = host) =>
  call(server, 'DELETE', `/recordings/meetings/${encodeURIComponent(meeting)}/recordings`, { as })
const recover = (meeting: string, as = host) =>
  call(server, 'POST', `/recordings/meetings/${encodeURIComponent(meeting)}/recover`, { as })
const fault = (body: object) => server.control('/faults', body)

describe('DELETE /api/recordings/meetings/:meetingIdOrUuid/recordings', () => {
  test('moves that sitting alone to Zoom’s trash, whatever its UUID contains', async () => {
    const uuids = [
      '/aB+cdefghijklmnopqrst==',
      'aB//cdefghijklmnopqrstu==',
      'aB/cdefghijklmnopqrstuv==',
      'aB+cdefghijklmnopqrstuv==',
    ]
    for (const [at, uuid] of uuids.entries()) await addRecording(`2026-11-1${at}T08:00:00Z`, { uuid })
    const latest = await addRecording('2026-11-20T08:00:00Z')
    await list()
    for (const uuid of uuids) expect(await trash(uuid)).toMatchObject({ status: 200, body: { success: true } })
    expect((await list()).recordings.map((row) => row.meeting_data.uuid)).toEqual([latest])
    const { recordings } = await server.control('/state')
    const inTrash = (recordings as { uuid: string; deleted_time: string | null }[]).filter((one) => one.deleted_time)
    expect(inTrash.map(({ uuid }) => uuid).sort()).toEqual(uuids.toSorted())
    const audited = await server.deps.db
      .selectFrom('audit')
      .selectAll()
      .where('action', '=', 'recordings_trashed')
      .execute()
    expect(audited).toHaveLength(4)
  })

  test('accepts a UUID that was encoded twice', async () => {
    const uuid = '/aB//cdefghijklmnopqrst=='
    await addRecording('2026-11-20T08:00:00Z', { uuid })
    await list()
    expect((await trash(encodeURIComponent(uuid))).status).toBe(200)
  })

  test('accepts a meeting number that means one sitting only', async () => {
    const number = host.rooms[0]?.zoom_meeting_id ?? ''
    await addRecording('2026-11-19T08:00:00Z')
    await list()
    await addRecording('2026-11-20T08:00:00Z')
    await list()
    expect(await trash(number)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    const [first] = (await list()).recordings
    await trash(first?.meeting_data.uuid ?? '')
    expect((await trash(number)).status).toBe(200)
    expect((await list()).recordings).toEqual([])
  })

  test('reports a recording deleted at Zoom, which leaves the list', async () => {
    const uuid = await addRecording('2026-11-20T08:00:00Z')
    await list()
    await server.deps.zoom.callFor(host.id, trashRecording(uuid))
    const gone = {
      status: 404,
      body: { code: 'not_found', message: 'Recording not found - it may have been already deleted' },
    }
    expect(await trash(uuid)).toMatchObject(gone)
    expect((await list('fetch_all=true')).recordings).toEqual([])
    expect(await trash(uuid)).toMatchObject(gone)
  })

  test('returns 404 for another host’s recording, and keeps it', async () => {
    const uuid = await addRecording('2026-11-20T08:00:00Z')
    await list()
    const other = await buildZoomHost(server)
    expect((await trash(uuid, other)).status).toBe(404)
    expect((await list()).recordings).toHaveLength(1)
  })

  test('returns 400 for an invalid meeting, without calling Zoom', async () => {
    for (const meeting of ['../../users', '..%2f..%2fusers', '?x', 'a#', 'x\r\ny']) {
      expect((await trash(meeting)).status).toBe(400)
    }
    expect((await server.control('/state')).unknown_paths).toEqual([])
  })

  test.each([
    ['rejects the grant', { status: 401, code: 124 }, 403, 'zoom_reconnect'],
    ['requires another scope', { status: 400, code: 4711 }, 403, 'zoom_reconnect'],
    ['refuses permission', { status: 400, code: 200, message: 'No permission.' }, 502, 'zoom_unavailable'],
    ['fails', { status: 500 }, 502, 'zoom_unavailable'],
  ])('never signs the host out when Zoom %s', async (_what, kind, status, code) => {
    const uuid = await addRecording('2026-11-20T08:00:00Z')
    await list()
    await fault({ match: { method: 'DELETE' }, kind: 'status', times: 0, ...kind })
    expect(await trash(uuid)).toMatchObject({ status, body: { code } })
    expect((await list('fetch_all=true')).recordings).toHaveLength(1)
  })
})

describe('undoing a deletion', () => {
  const archivedRecording = async () => {
    const uuid = await addRecording('2026-11-20T08:00:00Z')
    await list()
    await server.deps.db.updateTable('recordings').set({ archived_path: 'a.m4a', archived_bytes: 1 }).execute()
    return uuid
  }
  const atZoom = async (uuid: string) => {
    const { recordings } = await server.control('/state')
    return (recordings as { uuid: string }[]).find((one) => one.uuid === uuid)
  }
  const uuids = async () => (await list()).recordings.map((row) => row.meeting_data.uuid)

  test('restores that sitting from Zoom’s trash, and to the list at once', async () => {
    const awkward = await addRecording('2026-11-19T08:00:00Z', { uuid: '/aB//cdefghijk+mnopqrst==' })
    const other = await addRecording('2026-11-20T08:00:00Z')
    await list()
    for (const uuid of [awkward, other]) await trash(uuid)
    expect(await recover(awkward)).toMatchObject({ status: 200, body: { success: true } })
    expect((await list('fetch_all=true')).recordings).toHaveLength(1)
    expect(await uuids()).toEqual([awkward])
    const { entries } = (await call(server, 'GET', '/host/audit', { as: host })).body.data
    expect(entries[0]).toMatchObject({ action: 'recordings_recovered', target: { id: awkward } })
  })

  test('works for a recording that was trashed at Zoom', async () => {
    const uuid = await addRecording('2026-11-20T08:00:00Z')
    await list()
    await server.deps.zoom.callFor(host.id, trashRecording(uuid))
    await trash(uuid)
    expect((await recover(uuid)).status).toBe(200)
    expect(await uuids()).toEqual([uuid])
  })

  test('restores at Zoom too what two consoles deleted at once, one of which found it gone', async () => {
    const uuid = await archivedRecording()
    const { callFor } = server.deps.zoom
    const calls = vi.spyOn(server.deps.zoom, 'callFor').mockImplementation(async (id, asked) => {
      const isFirst = calls.mock.calls.length === 1
      const answer = await callFor.call(server.deps.zoom, id, asked)
      if (isFirst) expect((await trash(uuid)).status).toBe(200) // before the first has stored what Zoom answered
      return answer
    })
    expect((await trash(uuid)).status).toBe(200)
    calls.mockRestore()
    expect(await atZoom(uuid)).toMatchObject({ deleted_time: expect.any(String) })
    expect((await recover(uuid)).status).toBe(200)
    expect(await atZoom(uuid)).toMatchObject({ deleted_time: null })
    expect((await list()).recordings).toMatchObject([{ source: 'zoom_cloud' }])
  })

  test('restores the copy alone while Zoom does not answer', async () => {
    const uuid = await archivedRecording()
    await server.deps.zoom.callFor(host.id, trashRecording(uuid))
    await trash(uuid)
    await fault({ match: { method: 'PUT' }, kind: 'status', times: 0, status: 500 })
    expect((await recover(uuid)).status).toBe(200)
    expect((await list()).recordings).toMatchObject([{ source: 'local' }])
  })

  test('is not reverted by a late event about the trash', async () => {
    await receiveWebhooks(server)
    const uuid = await addRecording('2026-11-20T08:00:00Z')
    await list()
    await server.control('/options', { webhook_hold: true })
    await trash(uuid)
    now += 1000
    await recover(uuid)
    await server.control('/webhooks/release', { order: 'reversed' })
    await webhooksProcessed(server)
    expect(await uuids()).toEqual([uuid])
  })

  test('succeeds when Zoom’s first answer was lost', async () => {
    const uuid = await addRecording('2026-11-20T08:00:00Z')
    await list()
    await trash(uuid)
    await server.control('/recordings/batch', { email: host.email, action: 'recover' })
    expect((await recover(uuid)).status).toBe(200)
    expect(await uuids()).toEqual([uuid])
  })

  test('returns 404 for what is not in the trash, or another host’s', async () => {
    const uuid = await addRecording('2026-11-20T08:00:00Z')
    await list()
    expect((await recover(uuid)).status).toBe(404)
    await trash(uuid)
    expect((await recover(uuid, await buildZoomHost(server))).status).toBe(404)
    await server.control('/recordings/batch', { email: host.email, action: 'delete' })
    const message = 'Recording not found - it may have been already deleted'
    expect(await recover(uuid)).toMatchObject({ status: 404, body: { message } })
    for (const meeting of ['../../users', '?x', 'a#']) expect((await recover(meeting)).status).toBe(400)
  })

  test('never signs the host out when Zoom rejects the grant', async () => {
    const uuid = await addRecording('2026-11-20T08:00:00Z')
    await list()
    await trash(uuid)
    await fault({ match: { method: 'PUT' }, kind: 'status', times: 0, status: 401, code: 124 })
    expect(await recover(uuid)).toMatchObject({ status: 403, body: { code: 'zoom_reconnect' } })
  })
})
