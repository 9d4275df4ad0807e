import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ANA, BEA, RAVI, startApp } from '../../test/zoom/connected-app.ts'
import { newUuid } from '../state/identifiers.ts'
import { recordingWindow } from './recording-list.ts'

let zoom: Awaited<ReturnType<typeof startApp>>
const now = Date.parse('2026-10-04T12:00:00Z')

beforeAll(async () => {
  zoom = await startApp({ now: () => now })
})
beforeEach(() => zoom.reset())
afterAll(() => zoom.close())

const addRecording = async (more: object) => {
  const body = { email: ANA, start_time: '2026-10-01T12:02:13Z', duration_minutes: 42, ...more }
  return (await zoom.control('/recordings', body)).body.recording
}

/** Encodes as Zoom requires: twice if the UUID has a leading or a double slash. */
function inPath(uuid: string) {
  const once = encodeURIComponent(uuid)
  return uuid.startsWith('/') || uuid.includes('//') ? encodeURIComponent(once) : once
}

test.each([
  ['nothing asked', undefined, undefined, '2026-10-04', '2026-10-05'],
  ['within a month', '2026-09-10', '2026-10-04', '2026-09-10', '2026-10-04'],
  ['wider than a month', '2026-04-01', '2026-10-04', '2026-09-04', '2026-10-04'],
  ['a month that ends short', '2026-01-01', '2026-03-31', '2026-02-28', '2026-03-31'],
])('the window of %s', (_, from, to, begin, end) => {
  expect(recordingWindow(from, to, Temporal.PlainDate.from('2026-10-04'))).toEqual({ from: begin, to: end })
})

test("lists the recordings of the window, newest first, with the window's dates", async () => {
  await addRecording({ start_time: '2026-08-01T10:00:00Z' })
  await addRecording({ start_time: '2026-09-20T10:00:00Z', segments: 2, video: true })
  await addRecording({ start_time: '2026-10-01T10:00:00Z', topic: 'Newest' })
  const { call } = await zoom.connect(ANA)

  const { body } = await call('GET', '/users/me/recordings?from=2026-04-05&to=2026-10-04')
  expect(body).toMatchObject({ from: '2026-09-04', to: '2026-10-04', total_records: 2, next_page_token: '' })
  expect(body.meetings[0]).toMatchObject({ topic: 'Newest', type: '4', duration: 42, recording_count: 1 })
  expect(body.meetings[1].recording_files).toHaveLength(4)
  const [file] = body.meetings[0].recording_files
  expect(file).toMatchObject({ file_type: 'M4A', recording_type: 'audio_only', status: 'completed' })
  expect(file.meeting_id).toBe(body.meetings[0].uuid)
})

test('does not list what is older than six months', async () => {
  await addRecording({ start_time: '2026-04-03T10:00:00Z' })
  const { call } = await zoom.connect(ANA)
  const { body } = await call('GET', '/users/me/recordings?from=2026-04-01&to=2026-04-30')
  expect(body).toMatchObject({ total_records: 0, meetings: [] })
})

test('pages through one query for fifteen minutes', async () => {
  for (const day of ['01', '02', '03']) await addRecording({ start_time: `2026-10-${day}T10:00:00Z` })
  const { call } = await zoom.connect(ANA)
  const list = (query: string) => call('GET', `/users/me/recordings?from=2026-09-10&${query}`)

  const first = (await list('page_size=2')).body
  expect(first).toMatchObject({ page_count: 2, page_size: 2, total_records: 3 })
  const next = `next_page_token=${first.next_page_token}`
  const second = (await list(`page_size=2&${next}`)).body
  expect(second).toMatchObject({ next_page_token: '', meetings: [{ start_time: '2026-10-01T10:00:00Z' }] })

  const stale = { status: 400, body: { code: 300, message: 'The next page token is invalid or expired.' } }
  expect(await list(`page_size=1&${next}`)).toMatchObject(stale)
  await zoom.control('/clock', { advance_seconds: 15 * 60 })
  expect(await list(`page_size=2&${next}`)).toMatchObject(stale)
})

test.each([
  ['plain', 0],
  ['a slash in front', 1],
  ['two slashes', 2],
  ['a slash within', 3],
  ['a plus', 4],
])('accepts a UUID with %s, encoded as Zoom requires', async (_, kind) => {
  const uuid = newUuid(kind)
  await addRecording({ uuid })
  const { call } = await zoom.connect(ANA)
  const path = `/meetings/${inPath(uuid)}/recordings`
  expect((await call('GET', path)).body.uuid).toBe(uuid)
  expect((await call('DELETE', `${path}?action=trash`)).status).toBe(204)
  expect(await call('DELETE', `${path}?action=trash`)).toMatchObject({ status: 404, body: { code: 3301 } })
  expect((await call('PUT', `${path}/status`, { action: 'recover' })).status).toBe(200)
  expect((await call('GET', path)).status).toBe(200)
})

test.each([
  ['a slash in front, encoded once', newUuid(1), encodeURIComponent],
  ['two slashes, encoded once', newUuid(2), encodeURIComponent],
  ['a bare plus', newUuid(4), (uuid: string) => encodeURIComponent(uuid).replace('%2B', '+')],
])('does not find a UUID with %s', async (_, uuid, encode) => {
  await addRecording({ uuid })
  const { call } = await zoom.connect(ANA)
  expect(await call('GET', `/meetings/${encode(uuid)}/recordings`)).toMatchObject({ status: 404, body: { code: 3301 } })
})

test('a meeting number means its latest sitting', async () => {
  const older = await addRecording({ start_time: '2026-09-20T10:00:00Z' })
  const newer = await addRecording({ start_time: '2026-10-01T10:00:00Z' })
  const { call } = await zoom.connect(ANA)
  const path = `/meetings/${newer.id}/recordings`
  expect((await call('GET', path)).body.uuid).toBe(newer.uuid)
  await call('DELETE', path)
  expect((await call('GET', path)).body.uuid).toBe(older.uuid)
})

test('lists the trash separately, for thirty days', async () => {
  const { uuid } = await addRecording({})
  const kept = await addRecording({ start_time: '2026-10-02T10:00:00Z' })
  const { call } = await zoom.connect(ANA)
  await call('DELETE', `/meetings/${inPath(uuid)}/recordings?action=trash`)

  const list = async (query: string) => (await call('GET', `/users/me/recordings?${query}`)).body.meetings
  expect(await list('from=2026-09-10')).toMatchObject([{ uuid: kept.uuid }])
  expect(await list('trash=true')).toMatchObject([{ uuid }])

  await zoom.control('/clock', { advance_seconds: 31 * 24 * 3600 })
  const later = await zoom.connect(ANA)
  expect((await later.call('GET', '/users/me/recordings?trash=true')).body.meetings).toEqual([])
})

test('lists a recording in processing without URLs, and does not delete it', async () => {
  const { uuid } = await addRecording({ status: 'processing' })
  const { call } = await zoom.connect(ANA)
  const path = `/meetings/${inPath(uuid)}/recordings`
  const [file] = (await call('GET', path)).body.recording_files
  expect(file).toMatchObject({ status: 'processing' })
  expect(file).not.toHaveProperty('download_url')
  expect(await call('DELETE', path)).toMatchObject({ status: 400, body: { code: 3303 } })

  await zoom.control('/recordings/finish', {})
  expect((await call('GET', path)).body.recording_files[0]).toHaveProperty('download_url')
})

test('Basic accounts have no recordings, and hosts see only their own', async () => {
  const { uuid } = await addRecording({})
  const basic = await zoom.connect(BEA)
  expect(await basic.call('GET', '/users/me/recordings')).toMatchObject({ status: 400, body: { code: 200 } })
  const ravi = await zoom.connect(RAVI)
  expect((await ravi.call('GET', `/meetings/${inPath(uuid)}/recordings`)).status).toBe(404)
})

test("makes no M4A without the portal's audio setting", async () => {
  await zoom.control('/accounts', { email: ANA, settings: { record_audio_file: false } })
  expect((await addRecording({})).recording_files).toMatchObject([{ file_type: 'MP4' }])
})

describe('the transcript', () => {
  const hourLong = { start_time: '2026-10-01T10:00:00Z', duration_minutes: 60, speakers: ['Ana Lima', 'Kim: Park'] }
  const turnOn = () => zoom.control('/accounts', { email: ANA, settings: { recording_audio_transcript: true } })

  test('is a file of its own for each stretch of sound, where the setting is on', async () => {
    await turnOn()
    const { uuid } = await addRecording({ ...hourLong, segments: 2, video: true, spoken: ['The harvest is in.'] })
    const { call, access_token } = await zoom.connect(ANA)
    const settings = (await call('GET', '/users/me/settings')).body.recording
    expect(settings.recording_audio_transcript).toBe(true)
    const { recording_files } = (await call('GET', `/meetings/${inPath(uuid)}/recordings`)).body
    const files = recording_files.filter((file: { file_type: string }) => file.file_type === 'TRANSCRIPT')
    expect(files).toHaveLength(2)
    expect(files[0]).toMatchObject({
      file_extension: 'VTT',
      recording_type: 'audio_transcript',
      recording_start: recording_files[0].recording_start,
      status: 'completed',
    })

    const pass = { headers: { authorization: `Bearer ${access_token}` }, redirect: 'manual' as const }
    const link = (await fetch(files[0].download_url, pass)).headers.get('location') ?? ''
    const answer = await fetch(link)
    expect(answer.headers.get('content-type')).toBe('text/vtt')
    const text = await answer.text()
    expect(Buffer.byteLength(text)).toBe(files[0].file_size)
    expect(text).toMatch(
      /^WEBVTT\r\n\r\n1\r\n00:00:01\.000 --> 00:00:0\d\.\d{3}\r\nAna Lima: Good evening, [^\n]+\r\n\r\n2\r\n/,
    )
    expect(text).toContain('Kim: Park: ')
    expect(text.split('The harvest is in.')).toHaveLength(2)

    // Without a token there is Zoom's page, as for each file.
    expect((await fetch(files[0].download_url)).headers.get('content-type')).toContain('text/html')
  })

  test('names those who speak when, where that is known, and is silent in between', async () => {
    await turnOn()
    const turns = [
      { speaker: 'Mei-Ling Chen', from: 4, to: 30 },
      { speaker: 'Ana Lima', from: 50, to: 61.5 },
    ]
    const { uuid } = await addRecording({ ...hourLong, duration_minutes: 1, turns, spoken: ['The harvest is in.'] })
    const { call, access_token } = await zoom.connect(ANA)
    const { recording_files } = (await call('GET', `/meetings/${inPath(uuid)}/recordings`)).body
    const { download_url } = recording_files[1]
    const text = await (await fetch(download_url, { headers: { authorization: `Bearer ${access_token}` } })).text()
    const cues = [...text.matchAll(/00:00:(\d\d\.\d+) --> 00:0(\d):(\d\d\.\d+)\r\n([^:]+): /g)]
    expect(cues.length).toBeGreaterThan(5)
    for (const [, from, minutes, seconds, speaker] of cues) {
      const turn = turns.find((one) => one.speaker === speaker)
      expect(Number(from)).toBeGreaterThanOrEqual(turn?.from ?? 60)
      expect(Number(minutes) * 60 + Number(seconds)).toBeLessThanOrEqual(turn?.to ?? 0)
    }
    expect(new Set(cues.map(([, , , , speaker]) => speaker)).size).toBe(2)
  })

  test('is missing where the setting is off', async () => {
    expect((await addRecording(hourLong)).recording_files).toMatchObject([{ file_type: 'M4A' }])
  })

  test('is not listed before the sound is completed', async () => {
    await turnOn()
    const { uuid } = await addRecording({ ...hourLong, status: 'processing' })
    const { call } = await zoom.connect(ANA)
    const types = async () => {
      const { recording_files } = (await call('GET', `/meetings/${inPath(uuid)}/recordings`)).body
      return recording_files.map((file: { file_type: string }) => file.file_type)
    }
    expect(await types()).toEqual(['M4A'])
    await zoom.control('/recordings/finish', {})
    expect(await types()).toEqual(['M4A', 'TRANSCRIPT'])
  })
})
