import { beforeEach, describe, expect, test } from 'vitest'
import { buildHost, call, openSession, type TestHost } from '../../../test/factories/accounts.ts'
import { buildZoomHost, listRecordings, putRecording, setupWithZoom } from '../../../test/zoom/emulated-zoom.ts'
import { trashRecording } from '../../zoom/calls.ts'

const DAY = 24 * 3_600_000
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
const daysOf = async (query?: string) => (await list(query)).recordings.map(({ created_at }) => created_at.slice(0, 10))
/** Moves the clock and signs the host in again. */
const advance = async (ms: number) => {
  now += ms
  host = { ...host, token: await openSession(server, host.id) }
}
const fault = (body: object) => server.control('/faults', body)

describe('GET /api/recordings', () => {
  test('lists each file of six months, newest first, with links to this server', async () => {
    for (const day of ['2026-05-23', '2026-08-15', '2026-11-20', '2026-10-31', '2026-07-01']) {
      await addRecording(`${day}T18:30:00Z`)
    }
    const { recordings, total, stale } = await list()
    expect({ total, stale }).toEqual({ total: 5, stale: false })
    expect(recordings.map(({ created_at }) => created_at.slice(0, 10))).toEqual([
      '2026-11-20',
      '2026-10-31',
      '2026-08-15',
      '2026-07-01',
      '2026-05-23',
    ])
    expect(recordings[0]).toMatchObject({
      file_name: 'Morning room – 2026-11-20 18-30 UTC.m4a',
      topic: 'Morning room',
      status: 'completed',
      duration: 42,
      recording_type: 'audio_only',
      source: 'zoom_cloud',
      archived: false,
      meeting_id: host.rooms[0]?.zoom_meeting_id,
      file_data: {
        file_type: 'M4A',
        file_size: expect.any(Number),
        play_url: expect.stringMatching(/^\/api\/recordings\/media\/[\w-]{36}\?kind=play&/),
        download_url: expect.stringMatching(/kind=download/),
      },
    })
    expect(JSON.stringify(recordings)).not.toContain(server.zoom.origin)
  })

  test('lists a file for each segment, and other types on request', async () => {
    await addRecording('2026-11-20T18:30:00Z', { segments: 3, video: true })
    const audio = await list()
    expect(audio.recordings).toHaveLength(3)
    expect(audio.recordings[0]?.meeting_data.recording_files).toHaveLength(6)
    expect((await list('file_types=MP4')).recordings).toHaveLength(3)
    expect((await list('file_types=m4a, mp4')).recordings).toHaveLength(6)
  })

  test('reads every page that Zoom has', async () => {
    const most = 300 // Zoom's page size
    const starts = Array.from({ length: most + 1 }, (_, at) => new Date(now - DAY - at * 60_000).toISOString())
    for (const start of starts) await addRecording(start)
    const { recordings } = await list()
    expect(new Set(recordings.map(({ created_at }) => created_at)).size).toBe(most + 1)
  })

  test("lists this room only: no private meetings of the host, no other host's", async () => {
    const uuid = await addRecording('2026-11-20T18:30:00Z')
    const { meetings } = await server.control('/state')
    const personal = (meetings as { id: number; type: number }[]).find(({ type }) => type === 4)
    await addRecording('2026-11-19T18:30:00Z', { meeting_id: personal?.id, email: undefined })
    const own = await list()
    expect(own.recordings.map((row) => row.meeting_data.uuid)).toEqual([uuid])
    const other = await buildZoomHost(server)
    expect((await list(undefined, other)).recordings).toEqual([])
  })

  test('calls Zoom only on request', async () => {
    await addRecording('2026-11-20T18:30:00Z')
    expect((await list('fetch_all=true')).recordings).toEqual([])
    await list()
    expect((await list('fetch_all=true')).recordings).toHaveLength(1)
  })

  test('has no duplicates when requested twice', async () => {
    await addRecording('2026-10-25T18:30:00Z')
    const [first] = (await list()).recordings
    const again = await list()
    expect(again.recordings.map(({ id }) => id)).toEqual([first?.id])
  })

  test('calls Zoom once for several tabs', async () => {
    await fault({ match: { path: '/v2/users/me/recordings' }, kind: 'slow', delay_ms: 30, times: 0 })
    await Promise.all([list(), list(), list(), list()])
    const { faults } = await server.control('/state')
    expect(faults).toMatchObject([{ hits: 7 }])
  })

  test.each([
    ['fails', { kind: 'status', status: 500 }],
    ['returns a page', { kind: 'html' }],
    ['drops the connection', { kind: 'drop' }],
    ['has reached its daily limit', { kind: 'status', status: 429, message: 'maximum daily rate limit' }],
    ['requires another scope', { kind: 'status', status: 400, code: 4711 }],
  ])('comes from our index, marked as stale, when Zoom %s', async (_what, kind) => {
    await addRecording('2026-11-20T18:30:00Z')
    await list()
    await fault({ match: { path: '/v2/users/me/recordings' }, times: 0, ...kind })
    const { recordings, stale } = await list()
    expect(stale).toBe(true)
    expect(recordings).toHaveLength(1)
  })

  test('is stale, without signing out, when Zoom must be reconnected', async () => {
    await server.control('/tokens/expire', { email: host.email, refresh: true })
    expect(await list()).toMatchObject({ recordings: [], total: 0, stale: true })
  })

  test('is empty for a Basic account, which cannot record', async () => {
    await server.control('/accounts', { email: host.email, type: 1 })
    expect(await list()).toMatchObject({ recordings: [], total: 0, stale: false })
  })

  test('is empty for a room without Zoom', async () => {
    expect(await list(undefined, await buildHost(server))).toMatchObject({ recordings: [], total: 0, stale: false })
  })

  test('drops what was deleted at Zoom, but keeps what is older than Zoom lists', async () => {
    await addRecording('2026-06-01T18:30:00Z')
    const uuid = await addRecording('2026-10-01T18:30:00Z')
    await list()
    await advance(DAY)
    await server.deps.zoom.callFor(host.id, trashRecording(uuid))
    expect(await daysOf()).toEqual(['2026-06-01'])
    await advance(10 * DAY)
    expect(await daysOf('fetch_live=true&fetch_all=true&from=2026-05-01')).toEqual(['2026-06-01'])
  })

  test('drops nothing when Zoom lists fewer days than requested', async () => {
    await addRecording('2026-10-01T18:30:00Z')
    await addRecording('2026-11-20T18:30:00Z')
    await list()
    await advance(DAY)
    await server.control('/options', { list_days: 7 })
    expect(await daysOf()).toEqual(['2026-11-20', '2026-10-01'])
  })

  test('lists a recording in processing without links', async () => {
    await server.control('/options', { processing_ms: 3_600_000 })
    await addRecording('2026-11-20T18:30:00Z', { status: 'processing' })
    expect((await list()).recordings).toMatchObject([
      { status: 'processing', file_data: { play_url: null, download_url: null } },
    ])
    await server.control('/recordings/finish', {})
    expect((await list()).recordings).toMatchObject([
      { status: 'completed', file_data: { play_url: expect.any(String) } },
    ])
  })

  test('is limited to the requested days, both included, and page', async () => {
    for (const day of ['09', '10', '11', '12']) await addRecording(`2026-11-${day}T23:59:59Z`)
    await list()
    expect(await daysOf('from=2026-11-10&to=2026-11-11')).toEqual(['2026-11-11', '2026-11-10'])
    expect(await list('page_size=3')).toMatchObject({ total: 4, recordings: { length: 3 } })
    expect((await list('page_size=3&fetch_all=true')).recordings).toHaveLength(4)
  })

  test.each(['from=2026-11-11&to=2026-11-10', 'from=yesterday', 'page_size=0', 'page_size=many'])(
    'refuses %s',
    async (query) => {
      expect((await call(server, 'GET', `/recordings?${query}`, { as: host })).status).toBe(422)
    },
  )
})
