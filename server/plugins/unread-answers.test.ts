import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { buildHost, call, type TestHost } from '../../test/factories/accounts.ts'
import { setup } from '../../test/servers/setup.ts'

const server = await setup()
const { port } = new URL(await server.app.listen({ port: 0, host: '127.0.0.1' }))
const clients: Socket[] = []
afterEach(() => {
  vi.useRealTimers()
  for (const client of clients.splice(0)) client.destroy()
})

interface Reader {
  client: Socket
  /** The server's end of the connection. */
  socket: Socket
}

/** Sends a call on a connection of its own, which reads nothing. */
async function callWithoutReading(path: string, as: TestHost): Promise<Reader> {
  const connected = once(server.app.server, 'connection')
  const client = connect(Number(port), '127.0.0.1').pause()
  clients.push(client.on('error', () => {}))
  client.write(`GET /api${path} HTTP/1.1\r\nhost: localhost:3000\r\nauthorization: Bearer ${as.token}\r\n\r\n`)
  const [socket] = await connected
  return { client, socket }
}

const EXPORT = '/host/audit?format=json&limit=200'

/** Makes a log that is larger than the buffers of the system. */
async function hostWithLargeLog(entries = 60): Promise<TestHost> {
  const host = await buildHost(server)
  const after = JSON.stringify({ host_message: 'x'.repeat(100_000) })
  const entry = { actor_role: 'host' as const, actor_id: host.id, host_id: host.id, action: 'app_info_edited', after }
  await server.deps.db.insertInto('audit').values(Array(entries).fill(entry)).execute()
  return host
}

async function unreadLog(entries?: number): Promise<Reader> {
  const reader = await callWithoutReading(EXPORT, await hostWithLargeLog(entries))
  await expect.poll(() => reader.socket.writableLength).toBeGreaterThan(0)
  return reader
}

const passChecks = (number: number) => vi.advanceTimersByTime(number * 30_000)

test('a connection that takes nothing of its answer for five minutes is ended, whatever it sends', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const { client, socket } = await unreadLog()
  const closed = once(socket, 'close')
  passChecks(10)
  const arrived = once(socket, 'data')
  client.write('\r\n')
  await arrived
  expect(socket.destroyed).toBe(false)
  passChecks(1)
  await closed
})

test('a slow reader gets the whole answer', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const { client, socket } = await unreadLog(200)
  const chunks: Buffer[] = []
  let pauses = 0
  let sent = socket.bytesWritten
  client.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    if (socket.bytesWritten === sent) return
    sent = socket.bytesWritten
    passChecks(10)
    pauses++
  })
  client.resume()
  const isWhole = () => {
    const [head = '', body = ''] = Buffer.concat(chunks).toString('latin1').split('\r\n\r\n')
    return body.length === Number(/^content-length: (\d+)/im.exec(head)?.[1])
  }
  await expect.poll(isWhole).toBe(true)
  expect(pauses).toBeGreaterThan(1)
})

test('a connection whose answer is still being made is not ended', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const { promise: held, resolve: go } = Promise.withResolvers<void>()
  const handled = once(server.app.server, 'request')
  const { rooms } = server.deps
  rooms.peekFresh = () => null
  rooms.getFresh = async (id) => {
    await held
    return rooms.get(id)
  }
  const { socket } = await callWithoutReading('/host/users?limit=1', await buildHost(server))
  const [, response] = await handled
  passChecks(30)
  const sent = once(response, 'finish')
  go()
  await sent
  expect(socket.destroyed).toBe(false)
})

test('a file that stands still is ended after five minutes', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  vi.spyOn(server.deps.filePages, 'run').mockReturnValue(new Promise(() => {}))
  const { client, socket } = await callWithoutReading('/host/audit?format=csv', await buildHost(server))
  const closed = once(socket, 'close')
  client.resume()
  await expect.poll(() => socket.bytesWritten).toBeGreaterThan(0)
  passChecks(10)
  expect(socket.destroyed).toBe(false)
  passChecks(1)
  await closed
})

test('an account that has not read 32 MB is refused another large answer, until they are read or gone', async () => {
  const host = await hostWithLargeLog()
  const export_ = async (as: TestHost) => (await call(server, 'GET', EXPORT, { as })).body.code
  const readers: Reader[] = []
  for (let time = 0; time < 24; time++) readers.push(await callWithoutReading(EXPORT, host))
  const isFull = ({ socket }: Reader) => socket.writableLength > 0
  const isAnswered = ({ socket }: Reader) => socket.bytesWritten > 0
  await expect.poll(() => readers.filter(isAnswered).length).toBe(24)
  await expect.poll(() => readers.filter(isFull).length).toBe(5) // of 6 MB each
  expect(await export_(host)).toBe('busy')
  expect((await call(server, 'GET', '/host/room', { as: host })).status).toBe(200)
  expect(await export_(await hostWithLargeLog())).toBeUndefined()
  const users = { etag: '"1"', body: Buffer.alloc(6_000_000) }
  const room = await server.deps.rooms.get(host.id)
  vi.spyOn(room, 'users', 'get').mockReturnValue(users as typeof room.users)
  expect((await call(server, 'GET', '/host/users', { as: host })).body.code).toBe('busy')
  readers.find(isFull)?.client.destroy()
  await expect.poll(() => export_(host)).toBeUndefined()
  const last = await callWithoutReading('/host/users', host)
  await expect.poll(() => isFull(last)).toBe(true)
  expect(await export_(host)).toBe('busy')
})

test('an account that has not read 20 large answers is refused another', async () => {
  const host = await hostWithLargeLog()
  const isBusy = async () => (await call(server, 'GET', '/host/audit?limit=1', { as: host })).body.code === 'busy'
  const { client, socket } = await callWithoutReading(EXPORT, host)
  await expect.poll(() => socket.writableLength).toBeGreaterThan(0)
  const waiting = `GET /api/host/audit?limit=1 HTTP/1.1\r\nhost: localhost:3000\r\nauthorization: Bearer ${host.token}\r\n\r\n`
  client.write(waiting.repeat(18))
  expect(await isBusy()).toBe(false)
  client.write(waiting)
  await expect.poll(isBusy).toBe(true)
})
