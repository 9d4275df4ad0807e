import { Redis } from 'ioredis'
import { beforeAll, describe, expect, test } from 'vitest'
import { closeRoomLogs, type JoinedLog, joinRoomLog, USER_IDS } from '../../../../test/factories/room-log.ts'
import { startRedis, type TestRedis } from '../../../../test/servers/redis.ts'
import { startRedisCluster } from '../../../../test/servers/redis-cluster.ts'
import { startRedisSentinel } from '../../../../test/servers/redis-sentinel.ts'
import type { RoomChange } from '../state/room-change.ts'

closeRoomLogs()

const sharedBy = ({ state }: JoinedLog) => JSON.stringify(state.toSnapshot())
const settled = async (nodes: JoinedLog[]) => {
  for (const { log } of nodes) await log.append({ type: 'flush-voice' })
}
const status = (id: string, is_speaking: boolean): RoomChange => ({
  ...{ type: 'status', id, at: 1_000 },
  status: { speaker_on: true, is_speaking },
})
const inStep = (nodes: JoinedLog[]) =>
  expect.poll(() => nodes.every(({ log, state }) => log.isInStep && state.epoch === nodes[0]?.state.epoch)).toBe(true)

let room = 0
const newRoom = () => `host-${++room}`

describe.each([
  ['one server', startRedis],
  ['the master behind Sentinels', startRedisSentinel],
  ['a Cluster', startRedisCluster],
])('servers that share a room through %s', (_kind, start) => {
  let url: string
  beforeAll(async () => {
    const redis = await start()
    url = redis.url
    return () => redis.stop()
  })
  const join = (hostId: string) => joinRoomLog(url, hostId)

  describe('in step', () => {
    test('servers that begin a room at once share it, and apply the changes of all in one order', async () => {
      const hostId = newRoom()
      const nodes = await Promise.all([join(hostId), join(hostId), join(hostId)])
      await Promise.all(USER_IDS.map((id) => nodes[0]?.log.append({ type: 'online', id, at: 1 })))
      await Promise.all(
        Array.from({ length: 600 }, (_, index) =>
          nodes[index % 3]?.log.append(
            index % 4 === 0
              ? { type: 'mute', ids: [USER_IDS[index % 4] ?? 'a'], is_muted: index % 8 === 0, by: 'host' }
              : status(USER_IDS[index % 4] ?? 'a', index % 3 === 0),
          ),
        ),
      )
      await settled(nodes)
      await expect.poll(() => new Set(nodes.map(sharedBy)).size).toBe(1)
      expect(nodes[0]?.events.length).toBeGreaterThan(150)
      for (const node of nodes) expect(node.events).toEqual(nodes[0]?.events)
      expect(nodes.flatMap(({ faults }) => faults)).toEqual([])
    })

    test('an appended change has taken effect here when its promise resolves, and soon everywhere', async () => {
      const hostId = newRoom()
      const [a, b] = [await join(hostId), await join(hostId)]
      await a.log.append({ type: 'mute-all', active: true, except: [] })
      expect(a.state.hostMuteAll).toBe(true)
      await expect.poll(() => b.state.hostMuteAll).toBe(true)
    })

    test('a server that joins later continues from a snapshot and the changes since', async () => {
      const hostId = newRoom()
      const first = await join(hostId)
      await first.log.append({ type: 'online', id: 'a', at: 1 })
      for (
        let round = 0;
        round < 60;
        round++ // more than the log keeps
      )
        await Promise.all(Array.from({ length: 100 }, (_, index) => first.log.append(status('a', index % 2 === 0))))
      const later = await join(hostId)
      await settled([first, later])
      expect(sharedBy(later)).toBe(sharedBy(first))
      expect(later.state.version).toBeGreaterThan(1_000)
    })
  })

  describe('signs of life', () => {
    test('a phone that gave one at another server is not taken offline', async () => {
      const hostId = newRoom()
      const [a, b] = [await join(hostId), await join(hostId)]
      for (const id of ['a', 'b']) await a.log.append({ type: 'online', id, at: 1 })
      a.log.seen('a')
      await expect.poll(async () => [...(await b.log.silenceOf(['a', 'b'])).keys()]).toEqual(['a'])
      await b.log.appendOffline(['a', 'b'].map((id) => ({ id, at: 1, silentMs: 30_000 })))
      expect(b.state.participants.online().map(({ roster }) => roster.id)).toEqual(['a'])
      await b.log.appendOffline([{ id: 'a', at: 1, silentMs: 30_000 }])
      expect(b.state.participants.online()).toHaveLength(1)
    })
  })

  test('the streams of phones are counted at other servers', async () => {
    const hostId = newRoom()
    const [a, b] = [await join(hostId), await join(hostId)]
    a.streams = ['a', 'b']
    b.streams = ['b', 'c']
    await expect.poll(() => b.log.countStreamsElsewhere(USER_IDS)).toBe(2)
    a.streams = ['a']
    await expect.poll(() => b.log.countStreamsElsewhere(USER_IDS)).toBe(1)
    await expect.poll(() => a.log.countStreamsElsewhere(['a', 'b'])).toBe(1)
  })
})

test('a crowd of phones whose streams open at once is counted at other servers, at the cost of a few calls', async () => {
  const redis = await startRedis()
  const client = new Redis(redis.url)
  const hostId = newRoom()
  const [a, b] = [await joinRoomLog(redis.url, hostId), await joinRoomLog(redis.url, hostId)]
  const ids = Array.from({ length: 2_500 }, (_, index) => `phone ${index}`)
  await client.config('RESETSTAT')
  await Promise.all(ids.map((id) => a.log.announceStream(id)))
  expect(await b.log.countStreamsElsewhere(ids)).toBe(2_500)
  const calls = Number(/cmdstat_eval:calls=(\d+)/.exec(await client.info('commandstats'))?.[1])
  expect(calls).toBeLessThan(50)
  client.disconnect()
  await redis.stop()
})

test('a log of large changes is cut to a snapshot at 4 MB', async () => {
  const redis = await startRedis()
  const client = new Redis(redis.url)
  const { log, state } = await joinRoomLog(redis.url, newRoom())
  const keys = await client.keys('*log*')
  const lengths = async () => Math.max(...(await Promise.all(keys.map((key) => client.xlen(key)))))
  const except = Array.from({ length: 2_500 }, (_, index) => `${index}`.padStart(40, '0')) // some 107 kB
  const append = () => log.append({ type: 'mute-all', active: true, except })
  for (let times = 0; times < 37; times++) await append()
  expect(await lengths()).toBeGreaterThanOrEqual(37)
  await append()
  await expect.poll(lengths).toBeLessThan(5)
  expect(state.hostMuteAll).toBe(true)
  client.disconnect()
  await redis.stop()
})

describe('Redis', () => {
  let redis: TestRedis
  beforeAll(async () => {
    redis = await startRedis()
    return () => redis.stop()
  })
  const join = (hostId: string) => joinRoomLog(redis.url, hostId)

  test('is away: the room continues alone, and in step again when it is back', async () => {
    const hostId = newRoom()
    const nodes = [await join(hostId), await join(hostId)] as const
    await nodes[0].log.append({ type: 'online', id: 'a', at: 1 })
    await redis.kill()
    for (const { log } of nodes) await log.append({ type: 'mute', ids: ['a'], is_muted: true, by: 'host' })
    for (const { log, state } of nodes) {
      expect(log.isInStep).toBe(false)
      expect(state.participants.get('a')?.roster.is_muted).toBe(true)
    }
    expect(nodes[0].state.epoch).not.toBe(nodes[1].state.epoch)
    await redis.start()
    await inStep([...nodes])
    await expect.poll(() => nodes.map(({ repeated }) => repeated)).toEqual([1, 1])
    await nodes[1].log.append({ type: 'online', id: 'b', at: 2 })
    await expect.poll(() => nodes[0].state.participants.get('b')?.is_online).toBe(true)
  })

  test('is frozen: changes go on without it', async () => {
    const hostId = newRoom()
    const nodes = [await join(hostId), await join(hostId)] as const
    redis.pause()
    expect(await nodes[1].log.countStreamsElsewhere(USER_IDS)).toBe(0)
    await nodes[0].log.append({ type: 'online', id: 'a', at: 1 })
    expect(nodes[0].state.participants.get('a')?.is_online).toBe(true)
    await expect.poll(() => nodes[1].log.isInStep).toBe(false) // its read has timed out
    redis.resume()
    await inStep([...nodes])
    await nodes[0].log.append({ type: 'online', id: 'c', at: 2 })
    await expect.poll(() => nodes[1].state.participants.get('c')?.is_online).toBe(true)
  })

  test('has lost everything, or a part: the room begins again for all', async () => {
    const hostId = newRoom()
    const nodes = [await join(hostId), await join(hostId)]
    const client = new Redis(redis.url)
    await client.flushall()
    await nodes[0]?.log.append({ type: 'online', id: 'a', at: 1 })
    await inStep(nodes)
    await settled(nodes)
    const before = nodes[0]?.state.epoch
    await client.del(...(await client.keys(`*:${hostId}:snapshot`)))
    nodes.push(await join(hostId))
    await inStep(nodes)
    expect(nodes[2]?.state.epoch).not.toBe(before)
    client.disconnect()
  })
})
