import { beforeEach, describe, expect, test } from 'vitest'
import type { Recording } from '../../../../shared/recordings.ts'
import type { RecordingTranscript } from '../../../../shared/transcripts.ts'
import { buildHost, buildMaster, call, type TestHost } from '../../../../test/factories/accounts.ts'
import { buildZoomHost, setupWithZoom } from '../../../../test/zoom/emulated-zoom.ts'
import { receiveWebhooks, webhooksProcessed } from '../../../../test/zoom/webhooks.ts'
import { SYSTEM } from '../../../db/actor.ts'
import { purgeHost } from '../../hosts/purge-host.ts'
import { clearTrash } from '../archive/clear-archive.ts'
import { clearTranscripts } from './clear-transcripts.ts'
import { readTranscripts } from './read-transcripts.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const START = Date.parse('2026-11-21T10:00:00Z')
let now = START
let host: TestHost

const server = await setupWithZoom({ now: () => now })
beforeEach(async () => {
  now = START
  host = await buildZoomHost(server)
  await server.control('/accounts', { email: host.email, settings: { recording_audio_transcript: true } })
})

const vtt = (...lines: string[]) =>
  `WEBVTT\n\n${lines.map((line, at) => `${at + 1}\n00:00:0${at}.000 --> 00:00:0${at}.900\n${line}\n`).join('\n')}`

async function addRecording(more: object = {}, of = host): Promise<Recording> {
  const body = { email: of.email, start_time: '2026-11-20T08:00:00Z', duration_minutes: 4, notify: false, ...more }
  const { recording } = await server.control('/recordings', body)
  const { recordings } = (await call(server, 'GET', '/recordings?fetch_live=true&fetch_all=true', { as: of })).body.data
  const { uuid } = recording as { uuid: string }
  const found = recordings.find((one: Recording) => one.meeting_data.uuid === uuid)
  if (!found) throw new Error('The recording is not listed')
  return found
}
const readAll = () => readTranscripts.run(server.deps)
const ask = (id: string, as = host) => call(server, 'GET', `/host/recordings/${id}/transcript`, { as })
const transcriptOf = async (id: string): Promise<RecordingTranscript> => (await ask(id)).body.data
const textsOf = async (id: string) => (await transcriptOf(id)).lines.map(({ text }) => text)
const fault = (body: object) => server.control('/faults', body)
const count = async (table: 'transcripts' | 'transcript_cues') =>
  (await server.deps.db.selectFrom(table).selectAll().execute()).length
const trash = ({ meeting_data }: Recording) =>
  call(server, 'DELETE', `/recordings/meetings/${encodeURIComponent(meeting_data.uuid)}/recordings`, { as: host })

describe('a transcript', () => {
  test('waits, and is there with speakers and times once it has been read', async () => {
    const { id } = await addRecording({ transcript: vtt('Ana: One.', 'Kim: Two &amp; a half.') })
    expect(await transcriptOf(id)).toEqual({ status: 'waiting', skipped_at_ms: null, lines: [] })
    expect(await readAll()).toBe(1)
    expect(await transcriptOf(id)).toEqual({
      status: 'read',
      skipped_at_ms: null,
      lines: [
        { start_ms: 0, end_ms: 900, speaker: 'Ana', text: 'One.' },
        { start_ms: 1000, end_ms: 1900, speaker: 'Kim', text: 'Two & a half.' },
      ],
    })
    expect(await readAll()).toBe(0)
    expect((await server.control('/state')).leaked_tokens).toEqual([])
  })

  test('is none where Zoom makes none, and not found for another host or without the recording', async () => {
    await server.control('/accounts', { email: host.email, settings: { recording_audio_transcript: false } })
    const { id } = await addRecording()
    expect(await transcriptOf(id)).toEqual({ status: 'none', skipped_at_ms: null, lines: [] })
    expect((await ask(id, await buildHost(server))).status).toBe(404)
    for (const unknown of ['00000000-0000-4000-8000-000000000000', 'none'])
      expect((await ask(unknown)).status).toBe(404)
  })

  test('comes by its own event, after or before that of its sound, once', async () => {
    await receiveWebhooks(server)
    await server.control('/options', { webhook_hold: true, webhook_copies: 2 })
    for (const order of ['sent', 'reversed']) {
      now += 2 * MINUTE
      const start_time = new Date(now - MINUTE).toISOString()
      await server.control('/recordings', { email: host.email, start_time, duration_minutes: 1 })
      await server.control('/webhooks/release', { order })
      await webhooksProcessed(server)
      expect(await readAll(), order).toBe(1)
      const { recordings } = (await call(server, 'GET', '/recordings', { as: host })).body.data
      expect((await transcriptOf(recordings[0].id)).lines[0]?.text, order).toContain('Good evening')
    }
    expect(await count('transcripts')).toBe(2)
  })

  test('belongs to its stretch of the sound', async () => {
    const { meeting_data } = await addRecording({ segments: 2, video: true })
    await readAll()
    const ids = meeting_data.recording_files.map(({ id }) => id)
    expect(ids).toHaveLength(4)
    const { recordings } = (await call(server, 'GET', '/recordings?file_types=M4A,MP4', { as: host })).body.data
    const texts = new Map<string, Set<string>>()
    for (const { id, created_at } of recordings as Recording[]) {
      const text = (await textsOf(id)).join()
      texts.set(created_at, (texts.get(created_at) ?? new Set()).add(text))
    }
    expect([...texts.values()].map(({ size }) => size)).toEqual([1, 1])
    expect(new Set([...texts.values()].flatMap((one) => [...one])).size).toBe(2)
  })

  test('is read again where Zoom has another file of it, and keeps its lines until then', async () => {
    const recording = await addRecording({ transcript: vtt('One.') })
    await readAll()
    await server.deps.db.updateTable('transcripts').set({ file_size: 1 }).execute()
    now += MINUTE
    await call(server, 'GET', '/recordings?fetch_live=true', { as: host })
    expect(await transcriptOf(recording.id)).toMatchObject({ status: 'waiting', lines: [{ text: 'One.' }] })
    expect(await readAll()).toBe(1)
    expect(await transcriptOf(recording.id)).toMatchObject({ status: 'read', lines: [{ text: 'One.' }] })
  })
})

describe('what cannot be read', () => {
  test.each([
    ['damaged', 'A page instead'],
    ['damaged', 'WEBVTT\n\n1\n00:00'],
    ['too_large', `WEBVTT\n\n${'x'.repeat(5 * 1024 ** 2)}`],
    ['too_large', `WEBVTT\n\n${'00:01.000 --> 00:02.000\nx\n\n'.repeat(20_001)}`],
  ])('is %s, said so, and not tried again', async (status, transcript) => {
    const { id } = await addRecording({ transcript })
    await readAll()
    expect(await transcriptOf(id)).toEqual({ status, skipped_at_ms: null, lines: [] })
    now += DAY
    expect(await readAll()).toBe(0)
  })

  test('is a damaged line: the others are there, and the place is named', async () => {
    const { id } = await addRecording({ transcript: vtt('One.', 'Two.', 'Three.').replace('00:00:01.900', '') })
    await readAll()
    expect(await transcriptOf(id)).toMatchObject({
      status: 'read',
      skipped_at_ms: 900,
      lines: [{ text: 'One.' }, { text: 'Three.' }],
    })
  })

  test.each([
    ['Zoom drops the connection', { match: { path: '/file/*' }, kind: 'drop', times: 2 }],
    ['Zoom sends half of it', { match: { path: '/file/*' }, kind: 'truncate', times: 1 }],
    ['Zoom sends its page of a failed download', { match: { path: '/rec/download/*' }, kind: 'html', times: 2 }],
  ])('is tried again later where %s', async (_what, body) => {
    const { id } = await addRecording({ transcript: vtt('One.') })
    await fault(body)
    await readAll()
    expect((await transcriptOf(id)).status).toBe('waiting')
    expect(await readAll()).toBe(0)
    now += 2 * MINUTE
    await readAll()
    expect(await textsOf(id)).toEqual(['One.'])
  })
})

describe('a transcript goes with its recording', () => {
  test('into the trash, out of it, and for good', async () => {
    const recording = await addRecording()
    await readAll()
    await trash(recording)
    expect((await ask(recording.id)).status).toBe(404)
    const path = `/recordings/meetings/${encodeURIComponent(recording.meeting_data.uuid)}/recover`
    await call(server, 'POST', path, { as: host })
    expect((await transcriptOf(recording.id)).status).toBe('read')
    await trash(recording)
    now += 29 * DAY
    expect(await clearTranscripts.run(server.deps)).toBe(0)
    now += 2 * DAY
    await clearTrash.run(server.deps)
    expect(await clearTranscripts.run(server.deps)).toBe(1)
    expect(await count('transcript_cues')).toBe(0)
  })

  test('where Zoom has deleted it and no copy is kept', async () => {
    const { id, meeting_data } = await addRecording()
    await addRecording({ start_time: '2026-11-20T12:00:00Z' })
    await readAll()
    await server.control('/recordings/batch', { email: host.email, action: 'delete', uuids: [meeting_data.uuid] })
    now += 10 * MINUTE
    await call(server, 'GET', '/recordings?fetch_live=true', { as: host })
    expect((await ask(id)).status).toBe(404)
    expect(await clearTranscripts.run(server.deps)).toBe(0)
    now += DAY
    expect(await clearTranscripts.run(server.deps)).toBe(1)
    expect(await count('transcripts')).toBe(1)
  })

  test('where it is older than copies are kept, and is not fetched again', async () => {
    const old = await addRecording({ start_time: '2026-10-20T08:00:00Z' })
    await readAll()
    const deps = { ...server.deps, config: { ...server.deps.config, RETENTION_RECORDINGS_DAYS: 30 } }
    expect(await clearTranscripts.run(deps)).toBe(1)
    expect((await transcriptOf(old.id)).status).toBe('none')
  })

  test('where its host is purged', async () => {
    await addRecording()
    await readAll()
    await call(server, 'DELETE', `/admin/hosts/${host.id}`, { as: await buildMaster(server) })
    await purgeHost(server.deps, host.id, SYSTEM)
    expect([await count('transcripts'), await count('transcript_cues')]).toEqual([0, 0])
  })
})
