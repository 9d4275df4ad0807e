import { Redis } from 'ioredis'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startRedis, type TestRedis } from '../../../../test/redis.ts'
import { SharedRedis } from '../../../redis/shared-redis.ts'
import type { RoomChange } from '../room-change.ts'
import type { RoomFollower, RoomLog } from '../room-log.ts'
import { RoomState } from '../room-state.ts'
import type { RosterEntry, StoredRoom } from '../roster.ts'
import { RedisRoomLogs } from './redis-room-logs.ts'

const IDS = ['a', 'b', 'c', 'd']
const entry = (id: string): RosterEntry => ({
  ...{ id, user_id: id, username: `Name of ${id}`, reference: null, email: null, is_active: true, is_muted: false },
  ...{ phone_changed: false, last_seen: null, login_time: null, device_id: null, device_model: null },
  ...{ platform: null, app_version: null },
})
const stored = (): StoredRoom => ({
  ...{ id: 'room', changeNumber: 0, meetingId: null, hostMuteAll: false, inMeeting: new Set() },
  ...{ roster: IDS.map(entry), host: entry('host') },
})

let redis: TestRedis
beforeAll(async () => {
  redis = await startRedis()
  return () => redis.stop()
})

const open: { shared: SharedRedis; logs: RedisRoomLogs; log: RoomLog }[] = []
afterEach(() => {
  for (const { shared, logs, log } of open.splice(0)) {
    log.close()
    logs.close()
    shared.close()
  }
})

/** One server's part of a room, with all events that it published. */
async function join(hostId: string) {
  const faults: unknown[] = []
  const shared = new SharedRedis(redis.url, 'test', (error) => faults.push(error))
  const logs = new RedisRoomLogs(shared, Date.now, (error) => faults.push(error))
  await shared.connect()
  const log = await logs.open(hostId, async () => stored())
  const node = {
    log,
    faults,
    state: new RoomState(log.start),
    events: [] as string[],
    repeated: 0,
    streams: [] as string[],
  }
  const follower: RoomFollower = {
    apply(change) {
      for (const { id, event } of node.state.apply(change).events) node.events.push(`${id} ${JSON.stringify(event)}`)
    },
    share: () => node.state.share(),
    streams: () => node.streams,
    restart(start) {
      node.state = new RoomState(start)
      node.events = []
    },
    repeat: () => node.repeated++,
  }
  await log.follow(follower)
  open.push({ shared, logs, log })
  return node
}

type Node = Awaited<ReturnType<typeof join>>

const sharedBy = ({ state }: Node) => JSON.stringify(state.share())
const settled = async (nodes: Node[]) => {
  for (const { log } of nodes) await log.append({ type: 'flush-voice' })
}
const status = (id: string, is_speaking: boolean): RoomChange => ({
  ...{ type: 'status', id, at: 1_000 },
  status: { speaker_on: true, is_speaking },
})
const inStep = (nodes: Node[]) =>
  expect.poll(() => nodes.every(({ log, state }) => log.isInStep && state.epoch === nodes[0]?.state.epoch)).toBe(true)

let room = 0
const newRoom = () => `host-${++room}`

describe('in step', () => {
  test('servers that begin a room at once share it, and apply the changes of all in one order', async () => {
    const hostId = newRoom()
    const nodes = await Promise.all([join(hostId), join(hostId), join(hostId)])
    await Promise.all(IDS.map((id) => nodes[0]?.log.append({ type: 'online', id, at: 1 })))
    await Promise.all(
      Array.from({ length: 600 }, (_, index) =>
        nodes[index % 3]?.log.append(
          index % 4 === 0
            ? { type: 'mute', ids: [IDS[index % 4] ?? 'a'], is_muted: index % 8 === 0, by: 'host' }
            : status(IDS[index % 4] ?? 'a', index % 3 === 0),
        ),
      ),
    )
    await settled(nodes)
    await expect.poll(() => nodes.map(sharedBy)).toEqual(Array(3).fill(sharedBy(nodes[0] as Node)))
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
    for (let round = 0; round < 12; round++)
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
  await expect.poll(() => b.log.countStreamsElsewhere(IDS)).toBe(2)
  a.streams = ['a']
  await expect.poll(() => b.log.countStreamsElsewhere(IDS)).toBe(1)
  await expect.poll(() => a.log.countStreamsElsewhere(['a', 'b'])).toBe(1)
})

describe('Redis', () => {
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
    await nodes[0].log.append({ type: 'online', id: 'a', at: 1 })
    expect(nodes[0].state.participants.get('a')?.is_online).toBe(true)
    await expect.poll(() => nodes[1].log.isInStep).toBe(false) // its read has ended
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
