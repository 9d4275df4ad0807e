import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeEach, describe, expect, test } from 'vitest'
import { buildMaster, call, openSession, type TestHost } from '../../../test/factories/accounts.ts'
import { buildZoomHost, setupWithZoom } from '../../../test/zoom/emulated-zoom.ts'
import { trashRecording } from '../../zoom/calls.ts'

const MINUTE = 60_000
const audio = readFileSync(new URL('../../../emulator/audio/opening.m4a', import.meta.url))
const NOON = Date.parse('2026-11-21T12:00:00Z')
let now = NOON
let host: TestHost
let play: string
let download: string

const server = await setupWithZoom({ now: () => now })
const origin = await server.app.listen({ port: 0, host: '127.0.0.1' })
beforeEach(async () => {
  now = NOON
  host = await buildZoomHost(server, { room_name: 'Morning room' })
  const recording = { email: host.email, start_time: '2026-11-20T18:30:00Z', duration_minutes: 4, audio: 'opening.m4a' }
  await server.control('/recordings', { ...recording, notify: false })
  const listed = await call(server, 'GET', '/recordings?fetch_live=true', { as: host })
  const [row] = listed.body.data.recordings
  play = row.file_data.play_url
  download = row.file_data.download_url
})

const read = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(`${origin}${path}`, { headers })
  const { status } = answer
  return { status, headers: Object.fromEntries(answer.headers), bytes: Buffer.from(await answer.arrayBuffer()) }
}
const asMaster = async (method: 'POST' | 'PUT', path: string, body?: object) =>
  call(server, method, path, { as: await buildMaster(server), body })
const fault = (body: object) => server.control('/faults', body)
const messageOf = ({ bytes }: { bytes: Buffer }) => JSON.parse(bytes.toString())

describe('playing a recording', () => {
  test('needs only the link, no login', async () => {
    const { status, headers, bytes } = await read(play)
    expect(status).toBe(200)
    expect(bytes.equals(audio)).toBe(true)
    expect(headers).toMatchObject({
      'content-type': 'audio/mp4',
      'content-length': String(audio.length),
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'content-disposition': expect.stringMatching(/^inline; filename="Morning room - 2026-11-20 18-30 UTC.m4a"/),
    })
  })

  test('saves a file with the download link', async () => {
    const { headers } = await read(download)
    expect(headers['content-disposition']).toMatch(/^attachment; /)
  })

  test.each([
    ['honours ranges', true],
    ['sends only the whole', false],
  ])('seeks to any position, where Zoom’s host %s', async (_what, ranges) => {
    await server.control('/options', { ranges })
    const part = await read(play, { range: 'bytes=1000-1999' })
    expect(part).toMatchObject({
      status: 206,
      headers: { 'content-range': `bytes 1000-1999/${audio.length}`, 'content-length': '1000' },
    })
    expect(part.bytes.equals(audio.subarray(1000, 2000))).toBe(true)
    const end = await read(play, { range: 'bytes=-500' })
    expect(end.bytes.equals(audio.subarray(-500))).toBe(true)
    const beyond = await read(play, { range: `bytes=${audio.length}-` })
    expect(beyond).toMatchObject({ status: 416, headers: { 'content-range': `bytes */${audio.length}` } })
  })

  test('does not send our token to the file host', async () => {
    await read(play)
    expect((await server.control('/state')).leaked_tokens).toEqual([])
  })

  test('succeeds after Zoom once returned an error page with status 200', async () => {
    await fault({ match: { path: '/rec/download/*' }, kind: 'html', status: 200 })
    expect((await read(play)).bytes.equals(audio)).toBe(true)
  })

  test('succeeds after Zoom ended the token early', async () => {
    await read(play)
    await server.control('/tokens/expire', { email: host.email })
    expect((await read(play)).bytes.equals(audio)).toBe(true)
  })

  test('returns an error, not a page, when Zoom does not deliver', async () => {
    await fault({ match: { path: '/rec/download/*' }, kind: 'html', status: 200, times: 0 })
    const refused = await read(play)
    expect(refused).toMatchObject({ status: 502, headers: { 'content-type': expect.stringContaining('json') } })
    expect(messageOf(refused)).toMatchObject({ code: 'zoom_unavailable' })
  })

  test('asks to reconnect when the grant has expired, without signing anyone out', async () => {
    await server.control('/tokens/expire', { email: host.email, refresh: true })
    now += 2 * 60 * MINUTE
    const listed = await call(server, 'GET', '/recordings', { as: { token: await openSession(server, host.id) } })
    const refused = await read(listed.body.data.recordings[0].file_data.play_url)
    expect(refused.status).toBe(403)
    expect(messageOf(refused)).toMatchObject({ code: 'zoom_reconnect' })
  })

  test('returns 404 for a recording deleted at Zoom, which leaves the list', async () => {
    const row = await server.deps.db.selectFrom('recordings').selectAll().executeTakeFirstOrThrow()
    await server.deps.zoom.callFor(host.id, trashRecording(row.meeting_uuid))
    expect((await read(play)).status).toBe(404)
    expect((await call(server, 'GET', '/recordings', { as: host })).body.data.recordings).toEqual([])
  })

  test('fails visibly when the transfer is interrupted', async () => {
    await fault({ match: { path: '/file/*' }, kind: 'truncate', times: 0 })
    await expect(read(play)).rejects.toThrow()
  })

  test('refuses to open a host that is not Zoom’s', async () => {
    let visits = 0
    const elsewhere = createServer((_request, response) => {
      visits++
      response.writeHead(200, { 'content-type': 'audio/mp4' }).end('stolen')
    })
    await new Promise<void>((resolve) => elsewhere.listen(0, 'localhost', resolve))
    const { port } = elsewhere.address() as AddressInfo
    const headers = { location: `http://localhost:${port}/x` } // another origin than the emulator's 127.0.0.1
    await fault({ match: { path: '/rec/download/*' }, kind: 'status', status: 302, headers, times: 0 })
    expect((await read(play)).status).toBe(502)
    expect(visits).toBe(0)
    elsewhere.close()
  })

  test('stops a redirect loop', async () => {
    const location = `${server.zoom.origin}/rec/download/round`
    await fault({ match: { path: '/rec/download/*' }, kind: 'status', status: 302, headers: { location }, times: 0 })
    expect((await read(play)).status).toBe(502)
    const { faults } = await server.control('/state')
    expect(faults).toMatchObject([{ hits: 12 }]) // two attempts of six requests: the first and five redirects
  })
})

describe('a link', () => {
  test('stays the same for ten minutes, so that refreshing the list interrupts no player', async () => {
    const linkNow = async () =>
      (await call(server, 'GET', '/recordings', { as: host })).body.data.recordings[0].file_data.play_url
    now += 9 * MINUTE
    expect(await linkNow()).toBe(play)
    now += MINUTE
    expect(await linkNow()).not.toBe(play)
  })

  test('expires after an hour', async () => {
    now += 60 * MINUTE - 1
    expect((await read(play)).status).toBe(200)
    now += 1
    const late = await read(play)
    expect(late.status).toBe(403)
    expect(messageOf(late)).toMatchObject({ code: 'not_allowed' })
  })

  test.each([
    ['another recording', (url: URL) => (url.pathname = url.pathname.replace(/[^/]+$/, crypto.randomUUID())), 404],
    ['no recording', (url: URL) => (url.pathname = url.pathname.replace(/[^/]+$/, 'x')), 404],
    ['another kind', (url: URL) => url.searchParams.set('kind', 'download'), 404],
    ['a later end', (url: URL) => url.searchParams.set('expires', '9999999999'), 404],
    ['another session', (url: URL) => url.searchParams.set('session', crypto.randomUUID()), 404],
    ['no session', (url: URL) => url.searchParams.delete('session'), 422],
    ['another signature', (url: URL) => url.searchParams.set('signature', 'x'), 404],
    ['no signature', (url: URL) => url.searchParams.delete('signature'), 422],
  ] as const)('is invalid with %s', async (_what, change, status) => {
    const url = new URL(play, origin)
    change(url)
    expect((await read(`${url.pathname}${url.search}`)).status).toBe(status)
  })

  test.each([
    ['its session signs out', () => call(server, 'POST', '/auth/host/logout', { as: host })],
    ['its host’s subscription is cancelled', () => asMaster('POST', `/admin/hosts/${host.id}/cancel-subscription`)],
    ['its host has a new password', () => asMaster('PUT', `/admin/hosts/${host.id}`, { password: 'another horse' })],
  ])('is invalid once %s', async (_what, end) => {
    expect((await read(play)).status).toBe(200)
    expect((await end()).status).toBe(200)
    const late = await read(play)
    expect([late.status, messageOf(late).code]).toEqual([403, 'not_allowed'])
  })

  test('of one session keeps working when another session of the host ends', async () => {
    const other = { token: await openSession(server, host.id) }
    expect((await call(server, 'POST', '/auth/host/logout', { as: other })).status).toBe(200)
    expect((await read(play)).status).toBe(200)
  })

  test('is invalid once its host is deleted', async () => {
    await server.deps.db
      .updateTable('hosts')
      .set({ deleted_at: new Date(now) })
      .where('id', '=', host.id)
      .execute()
    expect((await read(play)).status).toBe(404)
  })
})
