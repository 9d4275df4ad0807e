import { Redis } from 'ioredis'
import { beforeEach, expect, test } from 'vitest'
import {
  buildAssistant,
  buildHost,
  buildPhone,
  buildRoomUser,
  call,
  requestStream,
  type SignedIn,
  type TestAssistant,
  type TestHost,
} from '../factories/accounts.ts'
import { openStream } from '../servers/stream.ts'
import { setupNodes, type TestNode } from './setup.ts'

const { a, b, redis, start } = await setupNodes()

let host: TestHost
let deputy: TestAssistant
beforeEach(async () => {
  host = await buildHost(a)
  deputy = await buildAssistant(a, host, 'moderator', 'Deputy')
})

const streamAt = async (node: TestNode, as: SignedIn) =>
  openStream(node.origin + (await requestStream(node, host, as)).body.sseUrl)
const names = async (node: TestNode) =>
  (await call(node, 'GET', '/host/online-users', { as: host })).body.moderators.map((one: { name: string }) => one.name)
const SEEN = { timeout: 5_000 }

test('a console is listed at every server within 5 s, and is gone when it closes', async () => {
  const own = await streamAt(a, host)
  await own.next('moderators')
  const theirs = await streamAt(b, deputy)
  const both = [host.username, 'Deputy']
  await expect.poll(() => names(a), SEEN).toEqual(both)
  await expect.poll(() => names(b), SEEN).toEqual(both)
  const tags = await Promise.all([a, b].map((node) => call(node, 'GET', '/host/online-users', { as: host })))
  expect(tags.map(({ body }) => body.moderators)[0]).toEqual(tags[1]?.body.moderators)
  theirs.close()
  await expect.poll(() => names(a), SEEN).toEqual([host.username])
  await expect.poll(() => names(b), SEEN).toEqual([host.username])
})

test('a removed assistant is cut off at the other server within a second, and the meeting goes on', async () => {
  const phone = await buildPhone(b, host, await buildRoomUser(a, host))
  const heard = await streamAt(b, phone)
  const theirs = await streamAt(b, deputy)
  let hasEnded = false
  void theirs.ended.then(() => {
    hasEnded = true
  })
  await expect.poll(() => names(a), SEEN).toEqual(['Deputy'])
  expect((await call(a, 'DELETE', `/host/assistants/${deputy.id}`, { as: host })).status).toBe(200)
  await expect.poll(() => hasEnded, { timeout: 1_000 }).toBe(true)
  await expect.poll(() => names(a), SEEN).toEqual([])
  await call(a, 'POST', '/host/trigger-bulk-mute/mute', { as: host })
  await heard.next('host-mute-all', { active: true })
})

test('the console of a server that was killed is gone within 30 s', async () => {
  const c = await start()
  await streamAt(c, deputy)
  await expect.poll(() => names(a), SEEN).toEqual(['Deputy'])
  const client = new Redis(redis.url)
  const [key = ''] = await client.keys(`*:${host.id}:moderators`)
  await c.close()
  expect(await client.hlen(key)).toBeGreaterThan(0) // not taken back, as after a kill
  await expect.poll(() => names(a), { timeout: 30_000 }).toEqual([])
  client.disconnect()
})

test('a list that no server has signed has no effect', async () => {
  await streamAt(b, deputy)
  await expect.poll(() => names(a), SEEN).toEqual(['Deputy'])
  const client = new Redis(redis.url)
  const [key = ''] = await client.keys(`*:${host.id}:moderators`)
  const [server = '', told = ''] = Object.entries(await client.hgetall(key))[0] ?? []
  await client.hset(key, `${server}x`, told.replace('Deputy', 'Nobody'))
  await streamAt(a, host)
  await expect.poll(async () => (await names(a)).length, SEEN).toBe(2)
  expect(await names(a)).toEqual(['Deputy', host.username])
  client.disconnect()
})
