import { Redis } from 'ioredis'
import { afterAll, expect, test } from 'vitest'
import { RedisBus } from '../../server/redis/redis-bus.ts'
import { SharedRedis } from '../../server/redis/shared-redis.ts'
import { call } from '../factories/accounts.ts'
import { setupNodes } from './setup.ts'

const { a, b, redis, start } = await setupNodes()
const client = new Redis(redis.url)
afterAll(() => client.disconnect())

async function streamLengths(): Promise<Map<string, number>> {
  const keys: string[] = []
  for (const key of await client.keys('*')) if ((await client.type(key)) === 'stream') keys.push(key)
  return new Map(await Promise.all(keys.map(async (key) => [key, await client.xlen(key)] as const)))
}

/** Returns the streams that grow with the call. */
async function grownBy(act: () => Promise<unknown>): Promise<string[]> {
  const before = await streamLengths()
  await act()
  let grown: string[] = []
  await expect
    .poll(async () => {
      grown = [...(await streamLengths())].flatMap(([key, length]) => (length > (before.get(key) ?? 0) ? [key] : []))
      return grown
    })
    .not.toEqual([])
  return grown
}

test('no number of calls without an account makes a server that starts forget wrong passwords', async () => {
  const guess = (node: typeof a, n: number) =>
    node.deps.loginThrottle.guess('ana', `198.51.${n}.1`, async () => ({ isRight: false }))
  for (let n = 0; n < 100; n++) await guess(a, n)
  await expect(guess(a, 100)).rejects.toMatchObject({ code: 'too_many' })
  const cheap = [
    () => call(a, 'GET', '/mobile/phone-requests/unknown'),
    () => call(a, 'GET', '/mobile/rooms/H999999'),
    () => call(a, 'POST', '/mobile/link-owner', { body: { host_id: 'H999999', link_token: 'x'.repeat(43) } }),
  ]
  // As 50,000 of each do.
  for (const one of cheap) for (const key of await grownBy(one)) await client.xtrim(key, 'MAXLEN', 0)
  const node = await start()
  await expect(guess(node, 101)).rejects.toMatchObject({ code: 'too_many' })
})

test('a server that starts has read what was told before it serves', async () => {
  const open = async () => {
    const shared = new SharedRedis({
      url: redis.url,
      identity: 'of this test',
      secrets: a.deps.secrets,
      onUnreadable: () => {},
    })
    await shared.connect()
    return { shared, bus: new RedisBus(shared.partitions[0], Date.now) }
  }
  const [one, other] = [await open(), await open()]
  const told = 3_000
  for (let at = 0; at < told; at++) one.bus.publish({ type: 'call-counted', limit: 'of a test', key: 'x', at })
  await one.shared.partitions[0].commands.ping() // after these
  let received = 0
  other.bus.subscribe(() => void received++)
  await other.bus.start()
  expect(received).toBe(told)
  for (const { shared } of [one, other]) shared.close()
})

test('what lasts is told once to the others, in a stream of its own', async () => {
  const received: string[] = []
  b.deps.bus.subscribe((message) => {
    if (message.type === 'tokens-taken' && message.limit === 'of a test') received.push(message.key)
  })
  for (const key of ['first', 'second', 'third'])
    a.deps.bus.publish({ type: 'tokens-taken', limit: 'of a test', key, count: 1, at: a.deps.now(), lasts: true })
  await expect.poll(() => received).toContain('third')
  const ended = Promise.withResolvers<void>()
  b.deps.bus.subscribe((message) => message.type === 'sessions-ended' && message.reason === 'heard' && ended.resolve())
  a.deps.bus.publish({ type: 'sessions-ended', ids: [], reason: 'heard' })
  await ended.promise
  expect(received).toEqual(['first', 'second', 'third'])
  const buses = await client.keys('*:bus') // the one that many cheap calls share
  const shared = JSON.stringify(await Promise.all(buses.map((key) => client.xrange(key, '-', '+'))))
  expect(shared).toContain('heard')
  expect(shared).not.toContain('third')
})
