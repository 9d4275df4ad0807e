import type { IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import {
  buildHost,
  buildPhone,
  buildRoomUser,
  call,
  openSession,
  type TestHost,
} from '../../test/factories/accounts.ts'
import { setup } from '../../test/servers/setup.ts'

const server = await setup()
const { port } = new URL(await server.app.listen({ port: 0, host: '127.0.0.1' }))
const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

const users = Array.from({ length: 400 }, () => ({ reference: 'x'.repeat(200) }))
const importUsers = async (as: { token: string }) =>
  (await call(server, 'POST', '/host/users/import', { as, body: { users } })).body.code

test.each(['content-length: 65537', 'transfer-encoding: chunked'])(
  'an account sends six large bodies at a time, over all its sessions (%s)',
  async (length) => {
    const host = await buildHost(server)
    const begun: IncomingMessage[] = []
    server.app.server.on('request', (request: IncomingMessage) => begun.push(request))
    const begin = ({ token }: { token: string }) => {
      const head = ['POST /api/host/users/import HTTP/1.1', 'host: localhost:3000', `authorization: Bearer ${token}`]
      const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
      socket.write(`${[...head, 'content-type: application/json', length].join('\r\n')}\r\n\r\n`)
      sockets.push(socket)
    }
    const other = { token: await openSession(server, host.id) }
    for (let n = 0; n < 6; n++) begin(n % 2 === 0 ? host : other)
    await expect.poll(() => begun.filter((request) => request.listenerCount('data') > 0)).toHaveLength(6)
    expect(await importUsers(host)).toBe('busy')
    expect(await importUsers(other)).toBe('busy')
    expect(await importUsers(await buildHost(server))).toBe('invalid_input')
    expect((await call(server, 'POST', '/host/users', { as: host, body: {} })).body.code).toBe('invalid_input')
    sockets[0]?.destroy()
    await expect.poll(() => importUsers(host)).toBe('invalid_input')
  },
)

test('a phone sends six bodies above 4 KB at a time', async () => {
  const host = await buildHost(server)
  const phone = await buildPhone(server, host, await buildRoomUser(server, host))
  const begun: IncomingMessage[] = []
  server.app.server.on('request', (request: IncomingMessage) => begun.push(request))
  for (let n = 0; n < 6; n++) {
    const head = ['POST /api/mobile/status HTTP/1.1', 'host: localhost:3000', `authorization: Bearer ${phone.token}`]
    const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
    socket.write(`${[...head, 'content-type: application/json', 'content-length: 4097'].join('\r\n')}\r\n\r\n`)
    sockets.push(socket)
  }
  await expect.poll(() => begun.filter((request) => request.listenerCount('data') > 0)).toHaveLength(6)
  const report = async (body: object) => (await call(server, 'POST', '/mobile/status', { as: phone, body })).status
  expect(await report({ user_title: 'x'.repeat(4_096) })).toBe(503)
  expect(await report({})).toBe(200)
})

test('large bodies that have come, or are refused, hold up no others', async () => {
  const host: TestHost = await buildHost(server)
  for (let n = 0; n < 8; n++) expect(await importUsers(host)).toBe('invalid_input')
  const tooLarge = { users: 'x'.repeat(1024 * 1024) }
  for (let n = 0; n < 8; n++)
    expect((await call(server, 'POST', '/host/users/import', { as: host, body: tooLarge })).body.code).toBe('too_large')
  expect(await importUsers(host)).toBe('invalid_input')
})
