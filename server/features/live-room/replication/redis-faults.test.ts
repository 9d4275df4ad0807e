import { Redis } from 'ioredis'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { closeRoomLogs, joinRoomLog, storedRoom } from '../../../../test/factories/room-log.ts'
import { startRedis, type TestRedis } from '../../../../test/servers/redis.ts'
import { RedisBus } from '../../../redis/redis-bus.ts'
import { RoomState } from '../state/room-state.ts'
import { RoomStore } from './room-store.ts'

let redis: TestRedis
let client: Redis
beforeAll(async () => {
  redis = await startRedis()
  return () => redis.stop()
})
beforeEach(() => {
  client = new Redis(redis.url)
  return () => client.disconnect()
})

closeRoomLogs()
const join = (hostId: string) => joinRoomLog(redis.url, hostId)

test('a Redis that refuses writes: streams end once, and the room stays as it is', async () => {
  const node = await join('refusing')
  await node.log.append({ type: 'online', id: 'a', at: 1 })
  await client.config('SET', 'min-replicas-to-write', '1')
  await node.log.append({ type: 'mute', ids: ['b'], is_muted: true, by: 'host' })
  const joins = vi.spyOn(RoomStore.prototype, 'join')
  await expect.poll(() => joins.mock.calls.length).toBeGreaterThan(2)
  expect(node.restarts).toBe(1)
  expect(node.state.participants.get('b')?.roster.is_muted).toBe(true)
  await client.config('SET', 'min-replicas-to-write', '0')
  await expect.poll(() => node.log.isInStep).toBe(true)
})

test('an append to a room that was closed is not left waiting', async () => {
  const node = await join('closed')
  node.log.close()
  await node.log.append({ type: 'online', id: 'a', at: 1 })
})

describe('a Redis that returns with what it had some minutes ago', () => {
  test('no event id means two things', async () => {
    const node = await join('older')
    const other = await join('older')
    await node.log.append({ type: 'online', id: 'a', at: 1 })
    const keys = await client.keys('*older*')
    const copies = await Promise.all(keys.map(async (key) => [key, await client.dumpBuffer(key)] as const))
    await node.log.append({ type: 'mute', ids: ['a'], is_muted: true, by: 'host' })
    await node.log.append({ type: 'mute', ids: ['b'], is_muted: true, by: 'host' })
    await redis.kill()
    await expect.poll(() => node.log.isInStep || other.log.isInStep).toBe(false)
    const before = new Map(node.ids)
    await redis.start()
    client.disconnect()
    client = new Redis(redis.url)
    for (const [key, dump] of copies) if (dump) await client.restore(key, 0, dump, 'REPLACE').catch(() => {})
    const [room = ''] = await client.keys('*:older:room')
    await client.hdel(room, 'history') // as if INFO were not permitted
    await expect.poll(() => node.log.isInStep && other.log.isInStep).toBe(true)
    await node.log.append({ type: 'online', id: 'b', at: 2 })
    await node.log.append({ type: 'online', id: 'c', at: 2 })
    for (const [id, event] of before) expect(`${id} ${node.ids.get(id)}`).toBe(`${id} ${event}`)
  })
})

describe('one room that cannot be read', () => {
  test('leaves the other rooms in step', async () => {
    const node = await join('well')
    const log = await node.logs.open('ill', async () => storedRoom())
    const epochs: string[] = []
    log.follow({
      apply: () => {},
      toSnapshot: () => new RoomState(log.start).toSnapshot(),
      streams: () => [],
      moderators: () => ({ here: () => [], isWatched: false }),
      moderatorsElsewhere: () => {},
      restart: ({ epoch }) => epochs.push(epoch),
      republish: () => {},
    })
    const [key = ''] = await client.keys('*:ill:room')
    const number = await client.hincrby(key, 'changes', 1)
    const [place, change] = [key.replace('ill:room', 'ill:log'), '99{"type":"of a later release"}']
    const [own, { epoch }] = ['of-a-release:1:0', log.start]
    const signature = node.shared.partitionOf('ill').sign(place, epoch, own, change)
    await client.xadd(place, '*', 'number', number, 'own', own, 'change', change, 'signature', signature)
    await expect.poll(() => node.faults.length).toBe(1)
    await expect.poll(() => epochs.length).toBe(2) // disconnected, then restarted with the others
    expect(log.isInStep).toBe(true)
    expect(node.restarts).toBe(0)
    log.close()
  })
})

test('a message of the bus that cannot be read is left out', async () => {
  const node = await join('bus')
  const bus = new RedisBus(node.shared.partitions[0], Date.now)
  const ended: string[] = []
  bus.subscribe((message) => {
    if (message.type === 'sessions-ended') ended.push(...message.ids.map((id) => id))
  })
  await bus.start()
  const [partition] = node.shared.partitions
  const key = partition.key('bus')
  const send = (stamp: number, message: object) => {
    const text = JSON.stringify(message)
    const signature = partition.sign(key, 'other', stamp, text)
    return client.xadd(key, '*', 'from', 'other', 'message', text, 'stamp', stamp, 'signature', signature)
  }
  const stamp = 1_000 * Date.now()
  await send(stamp, { type: 'sessions-ended', sessions: [] })
  await send(stamp + 1, { type: 'sessions-ended', ids: ['one'], reason: 'logout' })
  await expect.poll(() => ended).toEqual(['one'])
  expect(node.faults).toHaveLength(1)
  expect(node.restarts).toBe(0)
})

test('a change that does not come back takes effect all the same', async () => {
  const node = await join('deaf')
  const [partition] = node.shared.partitions
  partition.reader.unfollow(partition.key('deaf:log'))
  await node.log.append({ type: 'online', id: 'a', at: 1 })
  expect(node.state.participants.get('a')?.is_online).toBe(true)
  await expect.poll(() => node.log.isInStep).toBe(true)
})
