import { beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { closeRoomLogs, type JoinedLog, joinRoomLog } from '../../../../test/factories/room-log.ts'
import { startRedisCluster, type TestRedisCluster } from '../../../../test/servers/redis-cluster.ts'
import { startRedisSentinel, type TestRedisSentinel } from '../../../../test/servers/redis-sentinel.ts'
import { CLUSTER_SLOTS, partitionOf } from '../../../redis/cluster-slots.ts'

closeRoomLogs()

/** Finds a room of this partition of a Cluster. */
const roomIn = (partition: number) =>
  Array.from({ length: 1_000 }, (_, number) => `host-${number}`).find(
    (hostId) => partitionOf(hostId, CLUSTER_SLOTS.length) === partition,
  ) ?? ''

const inStep = ([one, other]: readonly [JoinedLog, JoinedLog]) =>
  eventually(() => {
    expect([one.log.isInStep, other.log.isInStep]).toEqual([true, true])
    expect(other.state.epoch).toBe(one.state.epoch)
  })

const isMuted = ({ state }: JoinedLog, id: string) => state.participants.get(id)?.roster.is_muted
const mute = ({ log }: JoinedLog, id: string) => log.append({ type: 'mute', ids: [id], is_muted: true, by: 'host' })

/** Waits until both have restarted, and checks that they share the room. */
async function expectNewBeginning(nodes: readonly [JoinedLog, JoinedLog], before: string) {
  await expect.poll(() => nodes.every(({ repeated }) => repeated > 0)).toBe(true)
  await inStep(nodes)
  expect(nodes[0].state.epoch).not.toBe(before)
  await mute(nodes[0], 'd')
  await expect.poll(() => isMuted(nodes[1], 'd')).toBe(true)
  expect(nodes[1].events).toEqual(nodes[0].events)
  expect(nodes.flatMap(({ ambiguous }) => ambiguous)).toEqual([])
}

let sentinel: TestRedisSentinel
let cluster: TestRedisCluster
beforeAll(async () => {
  ;[sentinel, cluster] = await Promise.all([startRedisSentinel(), startRedisCluster()])
  return async () => void (await Promise.all([sentinel.stop(), cluster.stop()]))
})

describe.each(['behind Sentinels', 'in a Cluster'])('a master %s', (kind) => {
  let redis: TestRedisSentinel | TestRedisCluster
  beforeAll(() => {
    redis = kind === 'behind Sentinels' ? sentinel : cluster
  })
  const join = async (hostId: string) =>
    [await joinRoomLog(redis.url, hostId), await joinRoomLog(redis.url, hostId)] as const

  test('is replaced on purpose, and lives on as a replica: its rooms begin again at the other', async () => {
    const [nodes, others] = [await join(roomIn(0)), await join(roomIn(3))]
    const { epoch } = nodes[0].state
    await redis.promote()
    await expectNewBeginning(nodes, epoch)
    if (kind === 'in a Cluster') expect(others.map(({ restarts }) => restarts)).toEqual([0, 0])
  })

  test('is frozen, replaced and back: changes go on, and no event id means two things', async () => {
    const [nodes, others] = [await join(roomIn(1)), await join(roomIn(4))]
    const { epoch } = nodes[0].state
    await mute(nodes[0], 'a')
    const master = await redis.master()
    master.pause()
    await mute(nodes[0], 'b')
    expect(isMuted(nodes[0], 'b')).toBe(true)
    await mute(others[0], 'b')
    await expectNewBeginning(nodes, epoch)
    master.resume()
    await mute(nodes[1], 'c')
    await expect.poll(() => isMuted(nodes[0], 'c')).toBe(true)
    if (kind === 'in a Cluster') expect(others.map(({ restarts }) => restarts)).toEqual([0, 0])
  })
})

describe('in a Cluster', () => {
  const join = async (hostId: string) =>
    [await joinRoomLog(cluster.url, hostId), await joinRoomLog(cluster.url, hostId)] as const

  test('each hash tag is of its slot', async () => {
    for (const { tag, slot } of CLUSTER_SLOTS)
      expect(await cluster.clients[0].call('CLUSTER', 'KEYSLOT', `{${tag}}:key`)).toBe(slot)
  })

  test('a change whose answer is lost is not sent again', async () => {
    const nodes = await join(roomIn(3))
    const { commands } = nodes[0].shared.partitions[3] ?? nodes[0].shared.partitions[0]
    const closed = new Promise((resolve) => commands.once('close', resolve))
    await Promise.race([commands.call('CLIENT', 'REPLY', 'OFF'), mute(nodes[0], 'a')])
    await closed
    await expect.poll(() => commands.status).toBe('ready')
    await inStep(nodes)
    await mute(nodes[0], 'b')
    await expect.poll(() => isMuted(nodes[1], 'b')).toBe(true)
    expect(nodes[1].events.filter((event) => event.includes('"user_id":"a"'))).toHaveLength(1)
  })

  test('a slot moves to another master: its rooms go on there', async () => {
    const nodes = await join(roomIn(3))
    const { epoch } = nodes[0].state
    await mute(nodes[0], 'a')
    const { slot = 0 } = CLUSTER_SLOTS[3] ?? {}
    const [, from, to] = cluster.clients
    const [fromId, toId] = [String(await from.call('CLUSTER', 'MYID')), String(await to.call('CLUSTER', 'MYID'))]
    await to.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', fromId)
    await from.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', toId)
    for (;;) {
      const keys = await from.call('CLUSTER', 'GETKEYSINSLOT', slot, 100)
      if (!Array.isArray(keys) || keys.length === 0) break
      await from.call('MIGRATE', '127.0.0.1', to.options.port ?? 0, '', 0, 1_000, 'KEYS', ...keys)
    }
    for (const client of [to, from]) await client.call('CLUSTER', 'SETSLOT', slot, 'NODE', toId)
    await expectNewBeginning(nodes, epoch)
  })
})
