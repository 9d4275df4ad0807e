import { beforeEach, describe, expect, test } from 'vitest'
import { readTranscripts } from '../../server/features/recordings/transcripts/read-transcripts.ts'
import type { FoundRecordings } from '../../shared/transcripts.ts'
import { buildHost, call, type TestHost } from '../factories/accounts.ts'
import { buildZoomHost, setupWithZoom } from '../zoom/emulated-zoom.ts'

const NOW = Date.parse('2026-11-21T10:00:00Z')
const server = await setupWithZoom({ now: () => NOW })
let host: TestHost
let day: number
beforeEach(async () => {
  day = 0
  host = await buildZoomHost(server)
})

const clock = (at: number) =>
  `00:${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}.000`
const vtt = (lines: string[]) =>
  `WEBVTT\n\n${lines.map((line, at) => `${clock(at)} --> ${clock(at + 1)}\n${line}`).join('\n\n')}\n`

/** Each is of the day before the last one. Returns its topic. */
async function addTranscript(topic: string, ...lines: string[]) {
  await server.control('/accounts', { email: host.email, settings: { recording_audio_transcript: true } })
  const start_time = new Date(NOW - ++day * 86_400_000).toISOString()
  const body = { email: host.email, start_time, duration_minutes: 4, topic, notify: false, transcript: vtt(lines) }
  await server.control('/recordings', body)
}
async function readAll() {
  await call(server, 'GET', '/recordings?fetch_live=true', { as: host })
  await readTranscripts.run(server.deps)
}
const ask = (q: string, as = host) =>
  call(server, 'GET', `/host/recordings/search?${new URLSearchParams({ q })}`, { as })
const search = async (q: string, as = host): Promise<FoundRecordings> => (await ask(q, as)).body.data
const linesOf = async (q: string) =>
  (await search(q)).found.map(({ recording, lines }) => [recording.topic, ...lines.map(({ text }) => text)])

describe('a search of the recordings', () => {
  test('finds lines with all words in any order, the last by its beginning, without case and accents', async () => {
    await addTranscript('New', 'Ana: The harvest is in.', 'Kim: And the barn is full.')
    await addTranscript('Old', 'Ana: A poor HARVEST, the year João came.', 'Kim: He’s harvesting alone.')
    await readAll()
    const all = [
      ['New', 'The harvest is in.'],
      ['Old', 'A poor HARVEST, the year João came.', 'He’s harvesting alone.'],
    ]
    expect(await linesOf('harvest')).toEqual(all)
    expect(await linesOf('Hárv')).toEqual(all)
    expect(await linesOf('joao the harvest')).toEqual([all[1]?.slice(0, 2)])
    expect(await linesOf('harvest barn')).toEqual([]) // not of one line
    expect(await linesOf('harv the')).toEqual([]) // only the last word may be a beginning
    expect(await linesOf("he's")).toEqual([['Old', 'He’s harvesting alone.']])
    expect(await linesOf('ana in')).toEqual([['New', 'The harvest is in.']]) // who said it
    const [first] = (await search('barn')).found
    expect(first).toMatchObject({
      recording: { topic: 'New', file_data: { play_url: expect.stringContaining('/api/recordings/media/') } },
      lines: [{ start_ms: 1000, end_ms: 2000, speaker: 'Kim', text: 'And the barn is full.' }],
      has_more_lines: false,
    })
  })

  test('shows five lines of a recording, and says that there are more', async () => {
    await addTranscript('Long', ...Array.from({ length: 6 }, (_, at) => `Word ${at}.`))
    await addTranscript('Five', ...Array.from({ length: 5 }, (_, at) => `Word ${at}.`))
    await readAll()
    const { found, has_more } = await search('word')
    expect(found.map(({ lines, has_more_lines }) => [lines.length, has_more_lines])).toEqual([
      [5, true],
      [5, false],
    ])
    expect(has_more).toBe(false)
  })

  test('shows twenty recordings, the newest first, and says that there are more', async () => {
    for (let n = 1; n <= 21; n++) await addTranscript(`Day ${n}`, 'A word.')
    await readAll()
    const { found, has_more } = await search('word')
    expect(found.map(({ recording }) => recording.topic)).toEqual(
      Array.from({ length: 20 }, (_, at) => `Day ${at + 1}`),
    )
    expect(has_more).toBe(true)
  })

  test('does not find what is in the trash, nor what belongs to another host', async () => {
    await addTranscript('One', 'A word.')
    await readAll()
    const other = await buildHost(server)
    expect(await search('word', other)).toEqual({ found: [], has_more: false })
    const [one] = (await search('word')).found
    const path = `/recordings/meetings/${encodeURIComponent(one?.recording.meeting_data.uuid ?? '')}`
    await call(server, 'DELETE', `${path}/recordings`, { as: host })
    expect(await linesOf('word')).toEqual([])
    await call(server, 'POST', `${path}/recover`, { as: host })
    expect(await linesOf('word')).toEqual([['One', 'A word.']])
  })

  test.each([
    ['', 422],
    [' a ', 422],
    ['x'.repeat(101), 422],
    ['ab', 200],
    ['?!', 200],
    [`'; drop table transcripts; -- \\ & | ! :* <-> (`, 200],
    ['\u0000\u0000', 400],
    [`${"it's ".repeat(19)}\\'`, 200],
  ])('answers %j with %i', async (q, status) => {
    await addTranscript('One', 'A word.')
    await readAll()
    const answer = await ask(q)
    expect(answer.status).toBe(status)
    if (status === 200) expect(answer.body.data).toEqual({ found: [], has_more: false })
  })
})
