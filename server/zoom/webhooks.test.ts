import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { aPhone, aRoomUser, call, type TestHost } from '../../test/build.ts'
import { aZoomHost, startWithZoom, type ZoomServer } from '../../test/emulated-zoom.ts'

const SECRET = 'webhook-secret'
const now = Date.parse('2026-11-21T10:00:00Z')
let server: ZoomServer

beforeAll(async () => {
  server = await startWithZoom({ now: () => now })
})
afterAll(() => server.close())
beforeEach(async () => {
  server.zoom.reset()
  await server.truncate()
})

interface Sent {
  at?: number
  secret?: string
  headers?: Record<string, string>
}

function deliver(body: string, { at = now, secret = SECRET, headers = {} }: Sent = {}) {
  const timestamp = String(Math.floor(at / 1000))
  const signature = `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`
  return server.app.inject({
    method: 'POST',
    url: '/api/zoom/webhooks',
    headers: {
      host: 'localhost:3000',
      'content-type': 'application/json; charset=utf-8',
      'x-zm-signature': signature,
      'x-zm-request-timestamp': timestamp,
      ...headers,
    },
    payload: body,
  })
}

const UNKNOWN = JSON.stringify({
  event: 'meeting.something_new',
  event_ts: now,
  payload: { account_id: 'x', object: {} },
})

describe('a webhook', () => {
  test('that Zoom signed is taken, also when it is not known', async () => {
    expect((await deliver(UNKNOWN)).statusCode).toBe(200)
  })

  test('is verified by its very bytes', async () => {
    const odd = '{ "event" : "x",\n "payload":{"object":{"id":97763643886000000001,"url":"https:\\/\\/zoom.us"}}}'
    expect((await deliver(odd)).statusCode).toBe(200)
  })

  test.each<[string, () => ReturnType<typeof deliver>]>([
    ['another secret', () => deliver(UNKNOWN, { secret: 'other' })],
    ['no signature', () => deliver(UNKNOWN, { headers: { 'x-zm-signature': '' } })],
    ['a signature of another length', () => deliver(UNKNOWN, { headers: { 'x-zm-signature': 'v0=1' } })],
    ['no time', () => deliver(UNKNOWN, { headers: { 'x-zm-request-timestamp': '' } })],
    ['another time', () => deliver(UNKNOWN, { headers: { 'x-zm-request-timestamp': String(now / 1000 - 1) } })],
    ['a time six minutes ago', () => deliver(UNKNOWN, { at: now - 360_000 })],
    ['a time six minutes ahead', () => deliver(UNKNOWN, { at: now + 360_000 })],
    ['a time in milliseconds', () => deliver(UNKNOWN, { at: now * 1000 })],
    ['no body', () => deliver('', { secret: 'other' })],
  ])('with %s is refused', async (_what, send) => {
    const { statusCode, body } = await send()
    expect(statusCode).toBe(401)
    expect(JSON.parse(body)).toMatchObject({ success: false, code: 'bad_signature' })
  })

  test.each(['', 'not json', '[]', '{"payload":{}}', '{"event":"endpoint.url_validation","payload":{}}'])(
    'that holds %j is malformed',
    async (body) => {
      expect((await deliver(body)).statusCode).toBe(400)
    },
  )

  test('of more than a megabyte is too large', async () => {
    expect((await deliver(JSON.stringify({ event: 'x'.repeat(1024 * 1024) }))).statusCode).toBe(413)
  })

  test('proves to Zoom that we know the secret', async () => {
    const url = `http://127.0.0.1:${await port()}/api/zoom/webhooks`
    expect(await server.control('/webhooks/endpoint', { url, secret: SECRET })).toMatchObject({ validated: true })
  })

  test('finds nothing where no secret is set', async () => {
    const { config } = server.deps
    vi.spyOn(config, 'ZOOM_WEBHOOK_SECRET', 'get').mockReturnValue(undefined)
    expect((await deliver(UNKNOWN)).statusCode).toBe(404)
  })
})

describe('events of a meeting', () => {
  let host: TestHost

  beforeEach(async () => {
    host = await aZoomHost(server)
    const url = `http://127.0.0.1:${await port()}/api/zoom/webhooks`
    await server.control('/webhooks/endpoint', { url, secret: SECRET })
  })

  const meeting = () => `/meetings/${host.rooms[0]?.zoom_meeting_id}`
  const inMeeting = async () => (await call(server, 'GET', '/host/users', { as: host })).body.data.users[0].in_meeting

  test.each(['compact', 'pretty', 'escaped'])('tell who is in it, written %s', async (webhook_style) => {
    await server.control('/options', { webhook_style })
    const user = await aRoomUser(server, host)
    await aPhone(server, host, user)
    expect(await inMeeting()).toBe(false)
    await server.control(`${meeting()}/start`, {})
    await server.control(`${meeting()}/participants/join`, { customer_key: user.id })
    await vi.waitFor(async () => expect(await inMeeting()).toBe(true))
    await server.control(`${meeting()}/participants/leave`, { customer_key: user.id })
    await vi.waitFor(async () => expect(await inMeeting()).toBe(false))
  })

  test('know a user whose key came without its dashes', async () => {
    const user = await aRoomUser(server, host)
    await server.control(`${meeting()}/start`, {})
    await server.control(`${meeting()}/participants/join`, { customer_key: user.id.replaceAll('-', '') })
    await vi.waitFor(async () => expect(await inMeeting()).toBe(true))
  })

  test('move nobody when another account sends them', async () => {
    const other = await aZoomHost(server)
    const user = await aRoomUser(server, host)
    await server.control(`/meetings/${other.rooms[0]?.zoom_meeting_id}/start`, {})
    await server.control(`/meetings/${other.rooms[0]?.zoom_meeting_id}/participants/join`, { customer_key: user.id })
    await server.control('/webhooks/settle', {})
    expect(await inMeeting()).toBe(false)
  })

  test('bring a recording into the list without asking Zoom', async () => {
    await server.control('/recordings', { email: host.email, start_time: '2026-11-20T18:30:00Z', duration_minutes: 42 })
    const list = () => call(server, 'GET', '/recordings', { as: host })
    await vi.waitFor(async () => expect((await list()).body.data.recordings).toHaveLength(1))
    expect((await list()).body.data).toMatchObject({
      stale: false,
      recordings: [
        { created_at: '2026-11-20T18:30:00.000Z', duration: 42, meeting_id: host.rooms[0]?.zoom_meeting_id },
      ],
    })
  })

  test('may come again and again', async () => {
    await server.control('/options', { webhook_copies: 4 })
    await server.control('/recordings', { email: host.email, start_time: '2026-11-20T18:30:00Z', duration_minutes: 42 })
    const { deliveries } = await server.control('/webhooks/settle', {})
    expect((deliveries as { state: string }[]).map(({ state }) => state)).toEqual(Array(4).fill('delivered'))
    await vi.waitFor(async () => {
      const list = await call(server, 'GET', '/recordings', { as: host })
      expect(list.body.data.recordings).toHaveLength(1)
    })
  })
})

let listening: Promise<string> | undefined
/** The port on which the emulator reaches the server; opened at its first use. */
async function port() {
  listening ??= server.app.listen({ port: 0, host: '127.0.0.1' })
  return new URL(await listening).port
}
