import { Redis } from 'ioredis'
import { beforeEach, expect, test } from 'vitest'
import { ASLEEP_AFTER_MS } from '../../shared/room-events.ts'
import {
  buildHost,
  buildPhone,
  buildRoomUser,
  call,
  requestStream,
  type TestHost,
  type TestPhone,
} from '../factories/accounts.ts'
import { openStream } from '../servers/stream.ts'
import { setupNodes, type TestNode } from './setup.ts'

let aheadMs = 0
const { a, b, redis } = await setupNodes({ now: () => Date.now() + aheadMs })

let host: TestHost
let phone: TestPhone
beforeEach(async () => {
  aheadMs = 0
  host = await buildHost(a)
  phone = await buildPhone(a, host, await buildRoomUser(a, host))
})

const online = async (node: TestNode) => (await call(node, 'GET', '/host/online-users', { as: host })).body.data.users
const report = (node: TestNode) => call(node, 'POST', '/mobile/status', { as: phone, body: {} })

test('a phone that gives signs of life at one server is awake at the other', async () => {
  await expect.poll(() => online(b)).toMatchObject([{ asleep: false }])
  await b.deps.rooms.sweep() // the server knows it from here on
  const client = new Redis(redis.url)
  const signs = async () => (await client.keys(`*:${host.id}:seen`))[0]
  const forget = async () => client.del((await signs()) ?? '')
  await forget()

  aheadMs = ASLEEP_AFTER_MS + 1_000
  await report(a)
  await expect.poll(signs).toBeDefined()
  await b.deps.rooms.sweep()
  expect(await online(b)).toMatchObject([{ asleep: false }])

  await forget()
  aheadMs += ASLEEP_AFTER_MS + 1_000
  await b.deps.rooms.sweep()
  await expect.poll(() => online(b)).toMatchObject([{ asleep: true }])
  client.disconnect()
})

test('keeps in Redis for 15 s that a phone has a stream, and for an hour that it gave a sign of life', async () => {
  const sseUrl = (await requestStream(a, host, phone)).body.sseUrl
  await openStream(a.origin + sseUrl)
  const client = new Redis(redis.url)
  const kept = async (name: string) => {
    const [key = ''] = await client.keys(`*:${host.id}:${name}`)
    return client.pttl(key)
  }
  for (const name of ['streams:*', 'servers', 'seen']) await expect.poll(() => kept(name)).toBeGreaterThan(0)
  expect(await kept('streams:*')).toBeLessThanOrEqual(15_000)
  expect(await kept('servers')).toBeLessThanOrEqual(15_000)
  expect(await kept('seen')).toBeGreaterThan(3_500_000)
  client.disconnect()
})

test('a server that goes on alone gives a phone that was in touch with another one a new lease', async () => {
  await expect.poll(() => online(a)).toHaveLength(1)
  await a.deps.rooms.sweep()
  aheadMs = ASLEEP_AFTER_MS - 2_000
  await report(b)
  await redis.kill()
  await expect.poll(() => a.deps.rooms.peek(host.id)?.isInStep).toBe(false)
  aheadMs += ASLEEP_AFTER_MS + 5_000
  await a.deps.rooms.sweep()
  expect(await online(a)).toHaveLength(1)
  await redis.start()
})
