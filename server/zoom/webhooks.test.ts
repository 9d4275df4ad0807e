import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { eventually } from '../../test/eventually.ts'
import { buildPhone, buildRoomUser, call, type TestHost } from '../../test/factories/accounts.ts'
import { buildZoomHost, setupWithZoom } from '../../test/zoom/emulated-zoom.ts'
import { receiveWebhooks, deliver as send, WEBHOOK_SECRET, webhookUrl } from '../../test/zoom/webhooks.ts'

const now = Date.parse('2026-11-21T10:00:00Z')

const server = await setupWithZoom({ now: () => now })

const deliver = (body: string, sent: Parameters<typeof send>[2] = {}) => send(server, body, sent)

const UNKNOWN = JSON.stringify({
  event: 'meeting.something_new',
  event_ts: now,
  payload: { account_id: 'x', object: {} },
})

describe('POST /api/zoom/webhooks', () => {
  test('accepts an event that Zoom signed, even an unknown one', async () => {
    expect((await deliver(UNKNOWN)).statusCode).toBe(200)
  })

  test('verifies the raw bytes', async () => {
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
  ])('refuses %s', async (_what, delivered) => {
    const { statusCode, body } = await delivered()
    expect(statusCode).toBe(401)
    expect(JSON.parse(body)).toMatchObject({ success: false, code: 'bad_signature' })
  })

  test('logs a refusal at once, and those of the next minute as one line with their number', async () => {
    const clock = performance.now.bind(performance)
    let aheadMs = 60_000 // after the refusals of other tests
    vi.spyOn(performance, 'now').mockImplementation(() => clock() + aheadMs)
    const warn = vi.spyOn(server.deps.log, 'warn')
    const logged = () => warn.mock.calls.flatMap(([fields, name]) => (name === 'zoom.webhook_refused' ? [fields] : []))
    const refuse = () => deliver(UNKNOWN, { secret: 'other' })
    for (let n = 0; n < 20; n++) expect((await refuse()).statusCode).toBe(401)
    expect(logged()).toHaveLength(1)
    aheadMs += 30_000
    await refuse()
    expect(logged()).toHaveLength(1)
    aheadMs += 30_000
    await refuse()
    expect(logged()).toMatchObject([{ bytes: UNKNOWN.length }, { bytes: UNKNOWN.length, times: 21 }])
  })

  test.each(['', 'not json', '[]', '{"payload":{}}', '{"event":"endpoint.url_validation","payload":{}}'])(
    'returns 400 for %j',
    async (body) => {
      expect((await deliver(body)).statusCode).toBe(400)
    },
  )

  test.each([
    ['a time that is no date', { event_ts: 9e15 }],
    ['a time beyond all dates', { event_ts: 1e300 }],
    ['such a time in its payload', { payload: { event_ts: 9e15 } }],
    ['an endless account', { payload: { account_id: 'x'.repeat(500_000) } }],
    ['an endless user', { payload: { user_id: 'x'.repeat(500_000) } }],
  ])('returns 400 for %s', async (_what, fields) => {
    const answer = await deliver(JSON.stringify({ event: 'meeting.started', payload: {}, ...fields }))
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'malformed'])
  })

  test('an event of an endless owner concerns nobody', async () => {
    const object = { host_id: 'x'.repeat(500_000) }
    expect((await deliver(JSON.stringify({ event: 'meeting.started', payload: { object } }))).statusCode).toBe(200)
  })

  test('returns 413 for more than a megabyte', async () => {
    expect((await deliver(JSON.stringify({ event: 'x'.repeat(1024 * 1024) }))).statusCode).toBe(413)
  })

  describe('with bodies above 16 KB', () => {
    const begun: Socket[] = []
    afterEach(() => {
      for (const socket of begun.splice(0)) socket.destroy()
    })

    /** Sends the head of a call alone. */
    async function begin(length: number, { signature = `v0=${'0'.repeat(64)}`, from = '127.0.0.1' } = {}) {
      const port = Number(new URL(await webhookUrl(server)).port)
      const signed = [`x-zm-signature: ${signature}`, `x-zm-request-timestamp: ${now / 1000}`]
      const head = ['POST /api/zoom/webhooks HTTP/1.1', 'host: localhost:3000', `content-length: ${length}`, ...signed]
      const socket = connect({ port, host: '127.0.0.1', localAddress: from }).setEncoding('utf8')
      begun.push(socket)
      socket.write(`${head.join('\r\n')}\r\n\r\n`)
      return socket
    }

    /** Takes all places. */
    async function beginTwenty() {
      const arrived = new Promise<void>((resolve) => {
        let count = 0
        server.app.server.on('request', () => ++count === 20 && resolve())
      })
      const sockets = await Promise.all(Array.from({ length: 20 }, () => begin(16_385)))
      await arrived
      return sockets
    }

    const answerOf = async (socket: Socket) => `${(await once(socket, 'data'))[0]}`.split('\r\n')[0]
    const firstClosed = (sockets: Socket[]) => Promise.race(sockets.map((socket) => once(socket, 'close')))
    const large = JSON.stringify({
      event: 'meeting.something_new',
      event_ts: now,
      payload: { text: 'x'.repeat(20_000) },
    })

    test('reads none without a well-formed signature, and at most twenty at a time', async () => {
      expect(await answerOf(await begin(1_000_000, { signature: 'v0=1' }))).toBe('HTTP/1.1 401 Unauthorized')
      const timers = vi.spyOn(globalThis, 'setTimeout')
      const sockets = await beginTwenty()
      expect(await answerOf(await begin(16_385))).toBe('HTTP/1.1 503 Service Unavailable')
      const late = timers.mock.calls.filter(([run, ms]) => ms === 10_000 && String(run).includes('request.raw.destroy'))
      expect(late).toHaveLength(20)
      const closed = firstClosed(sockets)
      late[0]?.[0]()
      await closed
      expect((await deliver(UNKNOWN)).statusCode).toBe(200)
      for (const socket of begun) socket.destroy()
      await expect.poll(async () => (await deliver(large)).statusCode).toBe(200)
    })

    test('takes a place from the network with the most for one with fewer', async () => {
      const closed = firstClosed(await beginTwenty())
      expect((await deliver(large, { ip: '192.0.2.1' })).statusCode).toBe(200)
      await closed
    })

    test('takes the place of the oldest body for a network without any, where all networks have one', async () => {
      const beginFrom = async (from: string) => {
        const arrived = once(server.app.server, 'request')
        const socket = await begin(16_385, { from })
        await arrived
        return { closed: once(socket, 'close') }
      }
      const taken = []
      for (let network = 1; network <= 20; network++) taken.push(await beginFrom(`127.0.${network}.1`))
      expect(await answerOf(await begin(16_385, { from: '127.0.20.2' }))).toBe('HTTP/1.1 503 Service Unavailable')
      expect((await deliver(large, { ip: '192.0.2.1' })).statusCode).toBe(200)
      await taken[0]?.closed
      await beginFrom('127.0.1.1')
      expect((await deliver(large, { ip: '192.0.2.1' })).statusCode).toBe(200)
      await taken[1]?.closed
      expect(begun.filter((socket) => socket.closed)).toHaveLength(3)
    })
  })

  test("answers Zoom's challenge with the secret", async () => {
    const endpoint = { url: await webhookUrl(server), secret: WEBHOOK_SECRET }
    expect(await server.control('/webhooks/endpoint', endpoint)).toMatchObject({ validated: true })
  })

  test('returns 404 where no secret is set', async () => {
    const { config } = server.deps
    vi.spyOn(config, 'ZOOM_WEBHOOK_SECRET', 'get').mockReturnValue(undefined)
    expect((await deliver(UNKNOWN)).statusCode).toBe(404)
  })
})

describe('events of a meeting', () => {
  let host: TestHost

  beforeEach(async () => {
    host = await buildZoomHost(server)
    await receiveWebhooks(server)
  })

  const meeting = () => `/meetings/${host.rooms[0]?.zoom_meeting_id}`
  const inMeeting = async () => (await call(server, 'GET', '/host/users', { as: host })).body.data.users[0].in_meeting

  test.each(['compact', 'pretty', 'escaped'])('update who is in it, written %s', async (webhook_style) => {
    await server.control('/options', { webhook_style })
    const user = await buildRoomUser(server, host)
    await buildPhone(server, host, user)
    expect(await inMeeting()).toBe(false)
    await server.control(`${meeting()}/start`, {})
    await server.control(`${meeting()}/participants/join`, { customer_key: user.id })
    await eventually(async () => expect(await inMeeting()).toBe(true))
    await server.control(`${meeting()}/participants/leave`, { customer_key: user.id })
    await eventually(async () => expect(await inMeeting()).toBe(false))
  })

  test('recognize a user whose key lost its dashes', async () => {
    const user = await buildRoomUser(server, host)
    await server.control(`${meeting()}/start`, {})
    await server.control(`${meeting()}/participants/join`, { customer_key: user.id.replaceAll('-', '') })
    await eventually(async () => expect(await inMeeting()).toBe(true))
  })

  test('are ignored from another account', async () => {
    const other = await buildZoomHost(server)
    const user = await buildRoomUser(server, host)
    await server.control(`/meetings/${other.rooms[0]?.zoom_meeting_id}/start`, {})
    await server.control(`/meetings/${other.rooms[0]?.zoom_meeting_id}/participants/join`, { customer_key: user.id })
    await server.control('/webhooks/settle', {})
    expect(await inMeeting()).toBe(false)
  })

  test('add a recording to the list without calling Zoom', async () => {
    await server.control('/recordings', { email: host.email, start_time: '2026-11-20T18:30:00Z', duration_minutes: 42 })
    const list = () => call(server, 'GET', '/recordings', { as: host })
    await eventually(async () => expect((await list()).body.data.recordings).toHaveLength(1))
    expect((await list()).body.data).toMatchObject({
      stale: false,
      recordings: [
        { created_at: '2026-11-20T18:30:00.000Z', duration: 42, meeting_id: host.rooms[0]?.zoom_meeting_id },
      ],
    })
  })

  test('may be repeated', async () => {
    await server.control('/options', { webhook_copies: 4 })
    await server.control('/recordings', { email: host.email, start_time: '2026-11-20T18:30:00Z', duration_minutes: 42 })
    const { deliveries } = await server.control('/webhooks/settle', {})
    expect((deliveries as { state: string }[]).map(({ state }) => state)).toEqual(Array(4).fill('delivered'))
    await eventually(async () => {
      const list = await call(server, 'GET', '/recordings', { as: host })
      expect(list.body.data.recordings).toHaveLength(1)
    })
  })
})
