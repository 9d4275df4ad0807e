import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import {
  buildHost,
  buildPhone,
  buildRoomUser,
  call,
  openSession,
  requestStream,
  type SignedIn,
  type TestHost,
} from '../../../../test/factories/accounts.ts'
import { setup } from '../../../../test/servers/setup.ts'
import { type OpenStream, openStream } from '../../../../test/servers/stream.ts'

let now = Date.parse('2026-11-21T10:00:00Z')
let host: TestHost

const server = await setup({ now: () => now })
const origin = await server.app.listen({ port: 0, host: '127.0.0.1' })
beforeEach(async () => {
  host = await buildHost(server)
})

const expectOpen = (count: number) => expect.poll(() => server.deps.streams.count).toBe(count)

const ticket = (as: SignedIn) => requestStream(server, host, as)
const address = async (as: SignedIn) => origin + (await ticket(as)).body.sseUrl

async function openAt(url: string): Promise<OpenStream> {
  const stream = await openStream(url)
  await stream.next('test')
  return stream
}

/** Expects that each of these receives the room's events. */
async function expectEvents(streams: OpenStream[]): Promise<void> {
  const received = streams.map((stream) => stream.next('host-mute-all', { active: true }))
  await call(server, 'POST', '/host/trigger-bulk-mute/mute', { as: host })
  await Promise.all(received)
}

describe('one stream address', () => {
  test('serves one stream: a second ends the first, whose end does not end the second', async () => {
    const url = await address(host)
    const first = await openAt(url)
    const second = await openAt(url)
    await first.ended
    await expectOpen(1)
    now += 6 * 60_000 // longer than a ticket can be reused
    await expectEvents([second])
    const third = await openAt(url)
    await second.ended
    await expectEvents([third])
  })

  test('serves one stream when many connect at once', async () => {
    const url = await address(host)
    await Promise.all(Array.from({ length: 20 }, () => openStream(url)))
    await expectOpen(1)
  })

  test('is issued thirty times a minute to a session, without limiting another', async () => {
    const answers = []
    for (let asked = 0; asked < 31; asked++) answers.push(await ticket(host))
    expect(answers.slice(0, 30).every(({ status }) => status === 200)).toBe(true)
    expect(answers[30]).toMatchObject({ status: 429, headers: { 'retry-after': '60' }, body: { code: 'too_many' } })
    expect((await ticket({ token: await openSession(server, host.id) })).status).toBe(200)
    now += 60_000
    expect((await ticket(host)).status).toBe(200)
  })

  test('opens sixty times a minute, with all addresses of a session together, without limiting another', async () => {
    const urls = [await address(host), await address(host)]
    const open = async (n: number) => (await fetchStream(urls[n % 2] ?? '')).status
    for (let n = 0; n < 60; n++) expect(await open(n)).toBe(200)
    expect(await Promise.all([open(0), open(1)])).toEqual([429, 429])
    const refused = await fetchStream(await address(host))
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('60')
    const other = { token: await openSession(server, host.id) }
    await openAt(await address(other))
    now += 60_000
    expect(await open(0)).toBe(200)
  })

  test('does not open more often where many connect at once', async () => {
    const url = await address(host)
    const answers = await Promise.all(Array.from({ length: 70 }, () => fetchStream(url)))
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10)
  })

  test('expires when its reader leaves before the stream opens, and leaves nothing behind', async () => {
    const url = new URL(await address(host))
    const rooms = vi.spyOn(server.deps.rooms, 'get')
    const isAsked = Promise.withResolvers<void>()
    const go = Promise.withResolvers<void>()
    rooms.mockImplementationOnce(async (id) => {
      isAsked.resolve()
      await go.promise
      return server.deps.rooms.get(id)
    })
    const [, atServer] = await Promise.all([reader(url), once(server.app.server, 'connection')]).then(
      async ([socket, [peer]]: [Socket, Socket[]]) => {
        await isAsked.promise
        socket.destroy()
        return [socket, peer]
      },
    )
    if (atServer && !atServer.closed) await once(atServer, 'close')
    go.resolve()
    await rooms.mock.results[0]?.value
    await expectEvents([await openAt(await address(host))])
    expect(server.deps.streams.count).toBe(1)
    now += 60_001
    expect((await fetch(url)).status).toBe(401)
  })
})

/** Opens a stream and leaves as soon as it is answered. */
async function fetchStream(url: string): Promise<Response> {
  const response = await fetch(url)
  await response.body?.cancel()
  return response
}

/** Opens a raw socket that reads a stream. */
async function reader({ port, hostname, pathname, host: name }: URL): Promise<Socket> {
  const socket = connect(Number(port), hostname)
  socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${name}\r\n\r\n`)
  return socket
}

describe.each([
  ['a console session', 5, async () => host],
  ["a user's phone", 2, async () => buildPhone(server, host, await buildRoomUser(server, host))],
])('%s', (_whose, most, signIn) => {
  test(`has at most ${most} streams: one more ends the oldest`, async () => {
    const as = await signIn()
    const [oldest, ...others] = await inTurn(most, () => address(as).then(openAt))
    const newest = await openAt(await address(as))
    await oldest?.ended
    await expectOpen(most)
    await expectEvents([...others, newest])
  })

  test(`keeps ${most} of many that open at once`, async () => {
    const as = await signIn()
    const urls = await inTurn(4 * most, () => address(as))
    await Promise.all(urls.map((url) => openStream(url)))
    await expectOpen(most)
  })

  test('keeps its other streams when one reconnects at its address', async () => {
    const as = await signIn()
    const others = await inTurn(most - 1, () => address(as).then(openAt))
    const url = await address(as)
    const before = await openAt(url)
    const again = await openAt(url)
    await before.ended
    await expectEvents([...others, again])
  })

  test('ends no stream of another session', async () => {
    const other = await openAt(await address({ token: await openSession(server, host.id) }))
    const as = await signIn()
    const own = await inTurn(most + 3, () => address(as).then(openAt))
    await expectOpen(most + 1)
    await expectEvents([other, ...own.slice(-most)])
  })
})

async function inTurn<T>(count: number, make: () => Promise<T>): Promise<T[]> {
  const made: T[] = []
  while (made.length < count) made.push(await make())
  return made
}
