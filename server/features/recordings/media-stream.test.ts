import { createServer, get, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { eventually } from '../../../test/eventually.ts'
import {
  buildHost,
  buildPhone,
  buildRoomUser,
  call,
  type TestHost,
  type TestPhone,
} from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'
import { SYSTEM } from '../../db/actor.ts'
import { linkHost } from '../zoom-accounts/zoom-links.ts'

// Simulates a file host of Zoom's with one endless recording, and counts the bytes that the server reads.

const GIB = 1024 ** 3
const CHUNK = Buffer.alloc(64 * 1024)
const TAKES = 32 * 1024 * 1024 // more than all buffers hold, and far less than the file
const UUID = 'aDYlohsHRtCd4ii1uC2+hA=='
let host: TestHost
let sent = 0
let isOpen = false
let opened = 0
/** The numbers of those that were closed, in order. */
const closed: number[] = []
let isHeldBack = false
/** Sends little at a time, which a reader takes at once. */
let isSlow = false

const zoom = createServer((request, response) => {
  if (request.url !== '/endless') return void response.end(JSON.stringify(recording()))
  isOpen = true
  const number = opened++
  response.on('close', () => {
    isOpen = false
    closed.push(number)
  })
  if (isHeldBack) return
  response.writeHead(200, { 'content-type': 'audio/mp4', 'content-length': GIB })
  if (isSlow) {
    const sending = setInterval(() => response.write(CHUNK.subarray(0, 1024)), 10)
    response.on('close', () => clearInterval(sending))
    return
  }
  new Readable({
    read() {
      sent += CHUNK.length
      this.push(CHUNK)
    },
  }).pipe(response)
})
await new Promise<void>((resolve) => zoom.listen(0, '127.0.0.1', resolve))
afterAll(() => {
  zoom.closeAllConnections()
  zoom.close()
})
const zoomUrl = `http://127.0.0.1:${(zoom.address() as AddressInfo).port}`
const server = await setup({ config: { ZOOM_OAUTH_URL: zoomUrl, ZOOM_API_URL: `${zoomUrl}/v2` } })
const origin = await server.app.listen({ port: 0, host: '127.0.0.1' })
beforeEach(async () => {
  sent = 0
  isHeldBack = false
  isSlow = false
  host = await buildHost(server)
  await server.deps.db.updateTable('rooms').set({ zoom_meeting_id: '97763643886' }).execute()
  await server.deps.db.transaction().execute((tx) => linkHost(server.deps, tx, host.id, anAccount(), SYSTEM))
})

function recording() {
  const file = { id: 'f1', file_type: 'M4A', status: 'completed', recording_start: '2026-11-20T18:30:00Z' }
  const download_url = `${zoomUrl}/endless`
  const meeting = { uuid: UUID, id: 97_763_643_886, start_time: '2026-11-20T18:30:00Z', duration: 600 }
  const whole = { ...meeting, recording_files: [{ ...file, download_url }] }
  return { ...whole, next_page_token: '', meetings: [whole] } // answers the list and the single recording
}

function anAccount() {
  return {
    zoom_user_id: 'u1',
    zoom_account_id: 'a1',
    email: host.email,
    display_name: null,
    pmi: null,
    scopes: '',
    warnings: [],
    access_token: 'access',
    refresh_token: 'refresh',
    access_expires_at: new Date(Date.now() + 3_600_000),
    linked_host_id: null,
  }
}

async function playUrl(): Promise<string> {
  const listed = await call(server, 'GET', '/recordings?fetch_live=true', { as: host })
  return listed.body.data.recordings[0].file_data.play_url
}

async function open(headers: Record<string, string> = {}, path?: string): Promise<IncomingMessage> {
  const url = `${origin}${path ?? (await playUrl())}`
  return new Promise((resolve, reject) => get(url, { headers }, resolve).on('error', reject))
}

/** Reads `bytes` bytes, then stops. */
async function take(answer: IncomingMessage, bytes: number): Promise<void> {
  let taken = 0
  while (taken < bytes) {
    const chunk: Buffer | null = answer.read()
    if (chunk) taken += chunk.length
    else await new Promise((resolve) => answer.once('readable', resolve))
  }
}

/** Waits until all buffers are full. */
async function settle(): Promise<void> {
  let before = -1
  await eventually(() => {
    const since = sent - before
    before = sent
    expect(since).toBe(0)
  })
}

test('does not read ahead of a slow reader, and stops reading at Zoom when the reader leaves', async () => {
  const answer = await open()
  expect(answer.headers['content-length']).toBe(String(GIB))
  await take(answer, 1024 * 1024)
  await settle()
  expect(sent).toBeLessThan(TAKES)
  expect(isOpen).toBe(true)

  answer.on('error', () => {})
  answer.destroy()
  await eventually(() => expect(isOpen).toBe(false))
})

test('stops reading at Zoom after the last byte of the range', async () => {
  const answer = await open({ range: 'bytes=100000-299999' })
  expect(answer).toMatchObject({ statusCode: 206, headers: { 'content-range': `bytes 100000-299999/${GIB}` } })
  await take(answer, 200_000)
  await eventually(() => expect(isOpen).toBe(false))
  expect(sent).toBeLessThan(TAKES)
})

test('leaves nothing open when a reader leaves before Zoom has answered', async () => {
  isHeldBack = true
  const asking = get(`${origin}${await playUrl()}`).on('error', () => {})
  await eventually(() => expect(isOpen).toBe(true))
  asking.destroy()
  await eventually(() => expect(isOpen).toBe(false))
})

test('leaves nothing open at Zoom after a hundred readers have left', async () => {
  const url = `${origin}${await playUrl()}`
  const before = { opened, closed: closed.length }
  const readAndLeave = () =>
    new Promise<void>((resolve) => {
      const asking = get(url, (answer) => {
        answer.on('error', () => {}).once('data', () => asking.destroy())
      })
      asking.on('error', () => {}).on('close', resolve)
    })
  for (let left = 20; left <= 100; left += 20) {
    await Promise.all(Array.from({ length: 20 }, readAndLeave)) // a host has no more at a time: others are refused
    await eventually(() => expect([opened - before.opened, closed.length - before.closed]).toEqual([left, left]))
  }
})

describe('of one host', () => {
  const answers: IncomingMessage[] = []
  afterEach(async () => {
    for (const answer of answers.splice(0)) answer.destroy()
    await eventually(() => expect(closed).toHaveLength(opened))
  })

  async function openMany(count: number, path: string) {
    for (let n = 0; n < count; n++) answers.push((await open({}, path)).on('error', () => {}))
  }

  test('twenty recordings are sent at a time, and one that is not read gives way to another', async () => {
    const path = await playUrl()
    const first = opened
    await openMany(20, path)
    const [played] = answers
    if (!played) throw new Error('Nothing was sent')
    await settle()
    await take(played, TAKES)
    await openMany(2, path)
    await eventually(() => expect(closed.filter((number) => number >= first)).toHaveLength(2))
    for (const number of [first, first + 20, first + 21]) expect(closed).not.toContain(number)
    await take(played, TAKES)
  })

  test('one that is read as fast as it comes does not give way, but one that is not read', async () => {
    const path = await playUrl()
    const first = opened
    isSlow = true
    await openMany(1, path)
    const [played] = answers
    if (!played) throw new Error('Nothing was sent')
    played.resume()
    isSlow = false
    await openMany(19, path)
    await settle()
    await openMany(1, path)
    await eventually(() => expect(closed.filter((number) => number >= first)).toHaveLength(1))
    for (const number of [first, first + 20]) expect(closed).not.toContain(number)
  })

  test('none is sent behind another answer on a connection, whose end it would outlive', async () => {
    const call = `GET ${await playUrl()} HTTP/1.1\r\nhost: localhost:3000\r\n`
    const before = opened
    const socket = connect(Number(new URL(origin).port), '127.0.0.1').setEncoding('latin1')
    socket.write(`${call}range: bytes=0-9\r\n\r\n${call}\r\n`)
    let received = ''
    socket.on('data', (text: string) => {
      received += text
    })
    await eventually(() => expect(received).toContain('HTTP/1.1 503'))
    socket.destroy()
    expect(opened - before).toBe(1)
  })

  test('a phone is sent two at a time, whatever other phones and the host play', async () => {
    const path = await playUrl()
    await server.deps.db
      .updateTable('recordings')
      .set({ shared_until: new Date(Date.now() + 60_000) })
      .execute()
    const heardBy = async (phone: TestPhone) => {
      const { body } = await call(server, 'GET', '/mobile/recordings', { as: phone })
      return body.data.recordings[0].play_url
    }
    const [one, other] = [
      await buildPhone(server, host, await buildRoomUser(server, host)),
      await buildPhone(server, host, await buildRoomUser(server, host)),
    ]
    const warned = vi.fn<(warning: Error) => void>() // of too many listeners
    process.on('warning', warned)
    const first = opened
    await openMany(1, path)
    await openMany(1, await heardBy(other))
    await openMany(3, await heardBy(one))
    await eventually(() => expect(closed.filter((number) => number >= first)).toEqual([first + 2]))
    process.off('warning', warned)
    expect(warned.mock.calls).toEqual([])
  })
})
