import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { CLUSTER_SLOTS, partitionOf } from '../../server/redis/cluster-slots.ts'
import { OnlineUsersAnswer } from '../../shared/room-users.ts'
import { buildHost, buildPhone, buildRoomUser, call, requestStream, type TestHost } from '../factories/accounts.ts'
import { startRedisCluster } from '../servers/redis-cluster.ts'
import { startRedisSentinel } from '../servers/redis-sentinel.ts'
import { openStream } from '../servers/stream.ts'
import { setupNodesOn, type TestNode } from './setup.ts'

const [sentinel, cluster] = await Promise.all([startRedisSentinel(), startRedisCluster()])
const [behindSentinels, inACluster] = [await setupNodesOn(sentinel), await setupNodesOn(cluster)]

/** Returns a host on a Cluster's first master, which has a replica and the first three of eight partitions. */
async function hostAt(node: TestNode, isFirst: boolean): Promise<TestHost> {
  for (;;) {
    const host = await buildHost(node)
    if (partitionOf(host.id, CLUSTER_SLOTS.length) < 3 === isFirst) return host
  }
}

async function listen(node: TestNode, host: TestHost, lastEventId?: string) {
  return openStream(node.origin + (await requestStream(node, host)).body.sseUrl, lastEventId)
}

test.each([
  ['behind Sentinels', behindSentinels],
  ['in a Cluster', inACluster],
])('a server of another installation is refused %s', async (_kind, { start }) => {
  await expect(start({ SECRET_KEY: 'another secret key for tests, 32 bytes or more' })).rejects.toThrow(
    'The Redis at REDIS_URL belongs to servers with another DATABASE_URL or SECRET_KEY',
  )
})

describe.each([
  ['behind Sentinels', behindSentinels, []],
  ['in a Cluster', inACluster, ['a room at another master']],
])('the master of a room %s is killed', (_kind, { a, b, redis }, elsewhere) => {
  test('what is acknowledged lasts, both servers agree, streams begin again, and rooms at other masters go on', async () => {
    const others = await Promise.all(elsewhere.map(() => hostAt(a, false)))
    const undisturbed = await Promise.all(others.map((other) => listen(b, other)))
    const host = await hostAt(a, true)
    const [phone, late] = [
      await buildPhone(a, host, await buildRoomUser(a, host)),
      await buildPhone(a, host, await buildRoomUser(a, host)),
    ]
    const online = async (node: TestNode) =>
      OnlineUsersAnswer.parse((await call(node, 'GET', '/host/online-users', { as: host })).body)
    const mute = async (node: TestNode, id: string) =>
      expect((await call(node, 'POST', `/host/users/${id}/mute`, { as: host })).status).toBe(200)
    for (const one of [phone, late]) await call(b, 'POST', '/mobile/status', { as: one, body: {} })
    const before = await listen(b, host)
    await mute(a, phone.id)
    const { id } = await before.next('user-mute-status', { user_id: phone.id, is_muted: true })

    await (await redis.master()).kill()
    await mute(a, late.id)
    for (const other of others) await call(a, 'POST', '/host/trigger-bulk-mute/mute', { as: other })
    for (const stream of undisturbed) await stream.next('host-mute-all', { active: true })
    await before.ended
    await expect
      .poll(async () => [await online(a), await online(b)])
      .toMatchObject(
        [a, b].map(() => ({
          ...{ success: true, host_mute_all_active: false, floor_user_id: null },
          data: { users: [phone, late].map((one) => expect.objectContaining({ id: one.id, is_muted: true })) },
        })),
      )
    const seenAt = async (node: TestNode) => {
      const { data, last_act } = await online(node)
      return { data, last_act }
    }
    await expect.poll(async () => isDeepStrictEqual(await seenAt(b), await seenAt(a))).toBe(true)

    const after = await listen(b, host, id)
    await call(a, 'POST', `/host/users/${phone.id}/unmute`, { as: host })
    const { id: unmuted } = await after.next('user-mute-status', { user_id: phone.id, is_muted: false })
    expect(unmuted.split('-')[0]).not.toBe(id.split('-')[0])
    expect(after.received.filter((event) => event.id === unmuted)).toHaveLength(1)

    for (const other of others) await call(a, 'POST', '/host/trigger-bulk-mute/unmute', { as: other })
    for (const stream of undisturbed) await stream.next('host-mute-all', { active: false })
  })
})
