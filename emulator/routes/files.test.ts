import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ANA, fetchJson, RAVI, startApp } from '../../test/zoom/connected-app.ts'
import { audioFiles, audioPath } from '../audio/audio.ts'

let zoom: Awaited<ReturnType<typeof startApp>>
let ana: Awaited<ReturnType<typeof zoom.connect>>
let file: { download_url: string; file_size: number }
let audio: Buffer

beforeAll(async () => {
  zoom = await startApp()
  audio = await readFile(audioPath('reading.m4a') ?? '')
})
beforeEach(async () => {
  zoom.reset()
  ana = await zoom.connect(ANA)
  const body = { email: ANA, start_time: new Date().toISOString(), duration_minutes: 5, audio: 'reading.m4a' }
  file = (await zoom.control('/recordings', body)).body.recording.recording_files[0]
})
afterAll(() => zoom.close())

const download = (token: string, url = file.download_url) =>
  fetch(url, { headers: { authorization: `Bearer ${token}` }, redirect: 'manual' })

const signedLink = async () => (await download(ana.access_token)).headers.get('location') ?? ''

test('the committed audio is small and starts as an M4A with its index in front', async () => {
  expect(audioFiles.length).toBeGreaterThanOrEqual(3)
  for (const { name, size } of audioFiles) {
    const bytes = await readFile(audioPath(name) ?? '')
    expect(size).toBeLessThan(200_000)
    expect(bytes.subarray(4, 11).toString()).toBe('ftypM4A')
    expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'))
  }
})

test('redirects a download to another origin, which serves the real bytes', async () => {
  const link = new URL(await signedLink())
  expect(link.origin).toBe(zoom.fileOrigin)
  expect(link.origin).not.toBe(zoom.origin)

  const answer = await fetch(link)
  expect(answer.headers.get('content-type')).toBe('audio/mp4')
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="GMT.*_Recording\.m4a"$/)
  expect(answer.headers.get('accept-ranges')).toBe('bytes')
  expect(Buffer.from(await answer.arrayBuffer()).equals(audio)).toBe(true)
  expect(file.file_size).toBe(audio.length)
})

test.each([
  ['bytes=100-199', 100, 199],
  ['bytes=-50', -50, undefined],
  ['bytes=1000-', 1000, undefined],
  ['bytes=0-99999999', 0, undefined],
])('%s returns that part', async (range, start, end) => {
  const answer = await fetch(await signedLink(), { headers: { range } })
  const part = audio.subarray(start, end === undefined ? undefined : end + 1)
  const first = start < 0 ? audio.length + start : start
  expect(answer.status).toBe(206)
  expect(answer.headers.get('content-range')).toBe(`bytes ${first}-${first + part.length - 1}/${audio.length}`)
  expect(Buffer.from(await answer.arrayBuffer()).equals(part)).toBe(true)
})

test('a range past the end is 416, and ranges can be turned off', async () => {
  const past = await fetch(await signedLink(), { headers: { range: 'bytes=99999999-' } })
  expect(past.status).toBe(416)
  expect(past.headers.get('content-range')).toBe(`bytes */${audio.length}`)

  await zoom.control('/options', { ranges: false, file_content_type: 'application/octet-stream' })
  const whole = await fetch(await signedLink(), { headers: { range: 'bytes=0-1' } })
  expect(whole.status).toBe(200)
  expect(whole.headers.get('content-type')).toBe('application/octet-stream')
})

test('the file host refuses a bearer token, and records the call', async () => {
  const leaked = await fetch(await signedLink(), { headers: { authorization: `Bearer ${ana.access_token}` } })
  expect(leaked.status).toBe(400)
  expect((await zoom.control('/state')).body.leaked_tokens).toHaveLength(1)
})

test('refuses a forged or expired link', async () => {
  const link = await signedLink()
  expect((await fetch(link.replace(/expires=\d+/, 'expires=9999999999999'))).status).toBe(403)
  await zoom.control('/clock', { advance_seconds: 3600 })
  expect((await fetch(link)).status).toBe(403)
})

test("a failed download is a page with status 200: no token, another host's token, an expired one", async () => {
  const ravi = await zoom.connect(RAVI)
  const answers = [await fetch(file.download_url), await download(ravi.access_token)]
  await zoom.control('/tokens/expire', { email: ANA })
  answers.push(await download(ana.access_token))
  for (const answer of answers) {
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toContain('text/html')
  }
})

test('a download token opens the files of one recording', async () => {
  const { meetings } = (await ana.call('GET', '/users/me/recordings')).body
  const path = `/meetings/${meetings[0].id}/recordings?include_fields=download_access_token&ttl=60`
  const { download_access_token } = (await ana.call('GET', path)).body
  expect((await download(download_access_token)).status).toBe(302)
  await zoom.control('/clock', { advance_seconds: 60 })
  expect((await download(download_access_token)).status).toBe(200)
})

test('a truncated file ends early', async () => {
  await zoom.control('/faults', { match: { path: '/file/*' }, kind: 'truncate' })
  const link = await signedLink()
  await expect(fetch(link).then((answer) => answer.arrayBuffer())).rejects.toThrow()
  expect((await fetchJson(link, {})).status).toBe(200)
})
