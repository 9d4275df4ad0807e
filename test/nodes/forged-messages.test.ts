import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { phoneAccount } from '../../server/features/phones/phone-login.ts'
import { sha256 } from '../../server/lib/secrets.ts'
import {
  buildHost,
  buildPhone,
  buildRoomUser,
  call,
  phoneLogin,
  type TestHost,
  type TestPhone,
} from '../factories/accounts.ts'
import { openStream } from '../servers/stream.ts'
import { setupNodes } from './setup.ts'

const { a, b, redis } = await setupNodes()
const client = new Redis(redis.url)
afterAll(() => client.disconnect())

let host: TestHost
let phone: TestPhone
beforeEach(async () => {
  host = await buildHost(a)
  phone = await buildPhone(a, host, await buildRoomUser(a, host))
})

const keyOf = async (pattern: string) => (await client.keys(pattern))[0] ?? ''
async function readKey(key: string): Promise<string> {
  const type = await client.type(key)
  if (type === 'stream') return JSON.stringify(await client.xrange(key, '-', '+'))
  if (type === 'hash') return JSON.stringify(await client.hgetall(key))
  if (type === 'zset') return JSON.stringify(await client.zrange(key, '0', '-1'))
  if (type === 'set') return JSON.stringify(await client.smembers(key))
  return String(await client.get(key))
}
const logOut = async () => {
  const session = await buildHost(a)
  await call(b, 'GET', '/host/details', { as: session })
  await call(a, 'POST', '/auth/logout', { as: session })
  await expect.poll(async () => (await call(b, 'GET', '/host/details', { as: session })).status).toBe(401)
}

const add = async (message: object) =>
  client.xadd(await keyOf('*:bus'), '*', 'from', 'a server', 'message', JSON.stringify(message))

/** Adds a message, and waits until both servers have read past it to a message of their own. */
async function forge(message: object): Promise<void> {
  await add(message)
  for (const [here, there] of [
    [a, b],
    [b, a],
  ] as const) {
    const reason = randomUUID()
    const received = new Promise<void>((resolve) =>
      there.deps.bus.subscribe((one) => one.type === 'sessions-ended' && one.reason === reason && resolve()),
    )
    here.deps.bus.publish({ type: 'sessions-ended', ids: [], reason })
    await received
  }
}

describe('a message that somebody else adds to the bus has no effect', () => {
  test('no stream opens by a ticket that it names', async () => {
    const id = (await a.deps.sessions.find(host.token))?.id ?? ''
    const ticket = 'no-signature-at-all'
    const at = a.deps.now()
    for (const type of ['stream-opened', 'stream-closed'])
      await forge({ type, ticket: sha256(ticket), session: id, at })
    for (const { origin } of [a, b])
      await expect(openStream(`${origin}/api/mobile/events/${ticket}`)).rejects.toThrow('401')
  })

  test('no message after it is missed, though its id was far ahead', async () => {
    const bus = await keyOf('*:bus')
    await client.xadd(bus, '99999999999999-0', 'from', 'nobody')
    await forge({}) // both have read it
    await client.del(bus)
    const received = Promise.withResolvers<void>()
    b.deps.bus.subscribe(
      (message) => message.type === 'sessions-ended' && message.reason === 'heard' && received.resolve(),
    )
    a.deps.bus.publish({ type: 'sessions-ended', ids: [], reason: 'heard' })
    await received.promise
  })

  test('wrong passwords that it reports as right are not forgotten', async () => {
    const user = await buildRoomUser(a, host)
    const guess = () => phoneLogin(a, host, user, undefined, 'wrong password')
    const statuses: number[] = []
    await expect.poll(async () => statuses[statuses.push((await guess()).status) - 1]).toBe(429)
    const account = phoneAccount(host.user_id, user.username)
    const message = { type: 'sign-in-checked', account, address: '127.0.0.1', networks: [] }
    await forge({ ...message, isRight: true, at: a.deps.now() })
    expect((await guess()).status).toBe(429)
  })

  test('sign-ins that it reports as wrong keep nobody out', async () => {
    const sender = { account: null, address: '127.0.0.1', networks: [] }
    const message = { type: 'sign-in-checked', ...sender, isRight: false, at: a.deps.now() }
    const user = await buildRoomUser(a, host)
    for (let count = 0; count < 40; count++) await add(message)
    await forge(message)
    for (const node of [a, b]) expect((await phoneLogin(node, host, user, 'a phone')).status).toBe(200)
  })

  test('tokens that it takes are there', async () => {
    const user = await buildRoomUser(a, host)
    await forge({ type: 'tokens-taken', limit: 'user actions', key: host.id, count: 10_000, at: a.deps.now() })
    for (const node of [a, b])
      expect((await call(node, 'POST', `/host/users/${user.id}/mute`, { as: host })).status).toBe(200)
  })
})

test('a message that a server published does not count again', async () => {
  const id = (await a.deps.sessions.find(host.token))?.id ?? ''
  const received: string[] = []
  b.deps.bus.subscribe((message) => {
    if (message.type === 'call-counted') received.push(message.key)
  })
  a.deps.bus.publish({ type: 'call-counted', limit: 'of a test', key: id, at: a.deps.now() })
  await expect.poll(() => received).toHaveLength(1)
  const key = await keyOf('*:bus')
  const [last] = await client.xrevrange(key, '+', '-', 'COUNT', 1)
  await client.xadd(key, '*', ...(last?.[1] ?? []))
  await logOut()
  expect(received).toHaveLength(1)
})

test('what is typed as a name, and addresses, are nowhere in Redis, and messages are gone after an hour', async () => {
  const names = ['a password in the wrong field', 'master@nowhere.example']
  const addresses = ['192.0.2.77', '2001:db8:77:88::1']
  for (const from of addresses)
    for (const username of names) {
      const login = {
        host_id: host.user_id,
        username,
        password: 'wrong password',
        device_id: 'a phone',
        platform: 'web',
      }
      await call(a, 'POST', '/mobile/login', { body: login, from })
      await call(a, 'POST', '/auth/host/login', { body: { username, password: 'wrong password' }, from })
      await call(a, 'POST', '/auth/master-login', { body: { email: username, password: 'wrong password' }, from })
      await call(a, 'GET', `/mobile/rooms/${username}`, { from })
      await call(a, 'GET', `/mobile/rooms/${host.user_id}`, { from })
    }
  await logOut()
  const bus = await keyOf('*:bus')
  const messages = JSON.stringify(await client.xrange(bus, '-', '+'))
  for (const type of ['sign-in-checked', 'tokens-taken', 'call-counted']) expect(messages).toContain(type)
  const keys = await client.keys('*')
  for (const key of keys) {
    const left = await client.pttl(key)
    expect([key, left > 0 && left <= 3_600_000]).toEqual([key, true]) // an hour at most
  }
  expect(await client.pttl(bus)).toBeGreaterThan(3_500_000)
  const texts = (await Promise.all(keys.map(readKey))).map((text) => text.toLowerCase())
  expect(texts.length).toBeGreaterThan(3)
  for (const secret of [...names, ...addresses, '192.0.2.', '2001:db8'])
    expect(texts.filter((text) => text.includes(secret.toLowerCase()))).toEqual([])
})

test('a change that somebody else adds to the log of a room unmutes nobody, and the room goes on', async () => {
  expect((await call(a, 'POST', '/host/trigger-bulk-mute/mute', { as: host })).status).toBe(200)
  const state = async (node: typeof a) => (await call(node, 'POST', '/mobile/status', { as: phone })).body.data
  for (const node of [a, b]) expect(await state(node)).toMatchObject({ is_muted: true, host_mute_all_active: true })
  const log = await keyOf(`*:${host.id}:log`)
  const [last] = await client.xrevrange(log, '+', '-', 'COUNT', 1)
  const number = Number(last?.[1][1]) + 1
  const committed = (a.deps.rooms.peek(host.id)?.changeNumber ?? 0) + 1
  const changes = [{ type: 'mute-all', active: false, except: [] }]
  const change = `1${JSON.stringify({ type: 'committed', number: committed, changes })}`
  await client.xadd(log, '*', 'number', number, 'own', 'x:1', 'change', change)
  const { epoch } = JSON.parse((await client.hget(log.replace(/log$/, 'snapshot'), 'text'))?.slice(1) ?? '')
  await call(b, 'POST', '/mobile/status', { as: phone, body: { wants_to_speak: true } })
  for (const node of [a, b]) {
    await expect
      .poll(() => state(node))
      .toMatchObject({ is_muted: true, wants_to_speak: true, host_mute_all_active: true })
    expect(node.deps.rooms.peek(host.id)?.isInStep).toBe(true)
  }
  expect(await client.hget(log.replace(/log$/, 'room'), 'epoch')).toBe(epoch)
})
