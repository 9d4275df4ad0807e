import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { buildHost, call, type TestHost } from '../../test/factories/accounts.ts'
import { setup } from '../../test/servers/setup.ts'
import { endUnreadAnswers } from './unread-answers.ts'

const server = await setup()
const { port } = new URL(await server.app.listen({ port: 0, host: '127.0.0.1' }))
const clients: Socket[] = []
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy()
})

/** Sends a call on a connection of its own, which reads nothing; returns the server's end of it. */
async function callWithoutReading(path: string, as: TestHost): Promise<Socket> {
  const connected = once(server.app.server, 'connection')
  const client = connect(Number(port), '127.0.0.1')
  clients.push(client.on('error', () => {}))
  client.write(`GET /api${path} HTTP/1.1\r\nhost: localhost:3000\r\nauthorization: Bearer ${as.token}\r\n\r\n`)
  const [socket] = await connected
  return socket
}

const EXPORT = '/host/audit?format=json&limit=200'

/** Makes a log that is larger than the buffers of the system. */
async function hostWithLargeLog(): Promise<TestHost> {
  const host = await buildHost(server)
  const after = JSON.stringify({ host_message: 'x'.repeat(100_000) })
  const entry = { actor_role: 'host' as const, actor_id: host.id, host_id: host.id, action: 'app_info_edited', after }
  await server.deps.db.insertInto('audit').values(Array(200).fill(entry)).execute()
  return host
}

test('a connection that takes nothing of its answer for 30 s is ended, and one that waits for it is not', async () => {
  const host = await hostWithLargeLog()
  const waiting = await callWithoutReading(EXPORT, host)
  await expect.poll(() => waiting.timeout).toBe(30_000)
  await expect.poll(() => waiting.writableLength).toBeGreaterThan(0)
  const closed = once(waiting, 'close')
  waiting.emit('timeout')
  await closed

  const { promise: held, resolve: go } = Promise.withResolvers<void>()
  const handled = once(server.app.server, 'request')
  const { rooms } = server.deps
  rooms.peekFresh = () => null
  rooms.getFresh = async (id) => {
    await held
    return rooms.get(id)
  }
  const making = await callWithoutReading('/host/users?limit=1', host)
  const [, response] = await handled
  making.emit('timeout')
  const sent = once(response, 'finish')
  go()
  await sent
  expect(making.destroyed).toBe(false)
})

test('an account that has not read 20 large answers is refused, until they are read or their connections gone', async () => {
  const host = await hostWithLargeLog()
  const read = async (as: TestHost) => (await call(server, 'GET', '/host/room', { as })).body.code
  for (let time = 0; time < 20; time++) {
    const socket = await callWithoutReading(EXPORT, host)
    await expect.poll(() => socket.writableLength).toBeGreaterThan(0)
  }
  expect(await read(host)).toBe('busy')
  expect(await read(await buildHost(server))).toBeUndefined()
  clients[0]?.destroy()
  await expect.poll(() => read(host)).toBeUndefined()
})

test('the timer ends such a connection by itself', async () => {
  const host = await hostWithLargeLog()
  const ended = once(server.app.server, 'connection').then(([socket]) => once(socket, 'close'))
  endUnreadAnswers(server.app, 100)
  await callWithoutReading(EXPORT, host)
  await ended
})
