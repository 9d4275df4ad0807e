import { Redis } from 'ioredis'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { closeRoomLogs, type JoinedLog, joinRoomLog } from '../../../../test/factories/room-log.ts'
import { startRedis, type TestRedis } from '../../../../test/servers/redis.ts'
import { encodeChange } from '../state/room-codec.ts'

const HAND = { type: 'status', id: 'a', at: 1_000, status: { wants_to_speak: true } } as const

let redis: TestRedis
let client: Redis
beforeAll(async () => {
  redis = await startRedis()
  client = new Redis(redis.url)
  return () => {
    client.disconnect()
    return redis.stop()
  }
})
closeRoomLogs()

let room = 0
let hostId: string
let nodes: JoinedLog[]
beforeEach(async () => {
  hostId = `host-${++room}`
  nodes = [await joinRoomLog(redis.url, hostId), await joinRoomLog(redis.url, hostId)]
  await nodes[0]?.log.append({ type: 'online', id: 'a', at: 1 })
  await nodes[0]?.log.append(HAND)
})

const logOf = async (id: string) => (await client.keys(`*:${id}:log`))[0] ?? ''

/** Copies an entry with the log's next number. */
async function nextOf(log: string, fields: string[]): Promise<string[]> {
  const [last] = await client.xrevrange(log, '+', '-', 'COUNT', 1)
  return ['number', String(Number(last?.[1][1]) + 1), ...fields.slice(2)]
}

async function lastFields(log: string): Promise<string[]> {
  return (await client.xrevrange(log, '+', '-', 'COUNT', 1))[0]?.[1] ?? []
}

/** Expects that both servers still share the unchanged room. */
async function expectUntouched(): Promise<void> {
  await nodes[1]?.log.append({ type: 'online', id: 'b', at: 2 })
  for (const { state, restarts, log } of nodes) {
    await expect.poll(() => state.participants.get('b')?.is_online).toBe(true)
    expect(state.participants.get('a')?.wants_to_speak).toBe(false)
    expect(state.hostMuteAll).toBe(false)
    expect([restarts, log.isInStep]).toEqual([0, true])
  }
  expect(nodes.map(({ faults }) => faults.length)).toEqual(nodes.map(() => 1))
}

describe('an entry that somebody else adds to the log of a room has no effect', () => {
  test('a change that was appended before', async () => {
    const log = await logOf(hostId)
    const raised = await lastFields(log)
    await nodes[0]?.log.append({ type: 'lower-hands', ids: ['a'] })
    await client.xadd(log, '*', ...(await nextOf(log, raised)))
    await expectUntouched()
  })

  test('a change of another room', async () => {
    const other = await joinRoomLog(redis.url, `${hostId}-other`)
    await other.log.append({ type: 'mute-all', active: true, except: [] })
    const foreign = await lastFields(await logOf(`${hostId}-other`))
    await nodes[0]?.log.append({ type: 'lower-hands', ids: ['a'] })
    const log = await logOf(hostId)
    await client.xadd(log, '*', ...(await nextOf(log, foreign)))
    await expectUntouched()
  })

  test('a change of which something was changed', async () => {
    const log = await logOf(hostId)
    await nodes[0]?.log.append({ type: 'lower-hands', ids: ['a'] })
    const [, number = '', , own = '', , , , signature = ''] = await nextOf(log, await lastFields(log))
    const change = encodeChange({ type: 'mute-all', active: true, except: [] })
    await client.xadd(log, '*', 'number', number, 'own', own, 'change', change, 'signature', signature)
    await expectUntouched()
  })
})

test('a change that a server did not see yet is not moved before those that its sender had seen', async () => {
  const log = await logOf(hostId)
  await nodes[0]?.log.append({ type: 'lower-hands', ids: ['a'] })
  await nodes[1]?.log.append({ type: 'mute-all', active: true, except: [] })
  const entries = await client.xrange(log, '-', '+')
  const [moved] = entries.slice(-1)
  const key = log.replace(/log$/, 'snapshot')
  await client.del(log)
  for (const [index, [, fields]] of [moved, ...entries.slice(0, -1)].filter((one) => one !== undefined).entries())
    await client.xadd(log, `${index + 1}-0`, 'number', String(index + 1), ...fields.slice(2))
  await client.hset(key.replace(/snapshot$/, 'room'), 'changes', entries.length)
  const later = await joinRoomLog(redis.url, hostId)
  expect(later.state.hostMuteAll).toBe(false)
  expect(later.faults.length).toBeGreaterThan(0)
})

test('a server that joins accepts no change again from before the snapshot that it begins with', async () => {
  const log = await logOf(hostId)
  const raised = await lastFields(log)
  await nodes[0]?.log.append({ type: 'lower-hands', ids: ['a'] })
  for (let count = 0; count < 1_000; count++) await nodes[0]?.log.append({ type: 'flush-voice' })
  await expect.poll(() => client.hget(log.replace(/log$/, 'snapshot'), 'number')).toBe('1000')
  await client.xadd(log, '*', ...(await nextOf(log, raised)))
  nodes.push(await joinRoomLog(redis.url, hostId))
  await expectUntouched()
})

test('of phones that were proposed to go offline, only those that were proposed do', async () => {
  const log = await logOf(hostId)
  for (const id of ['b', 'c']) await nodes[0]?.log.append({ type: 'online', id, at: 1 })
  await nodes[0]?.log.appendOffline([{ id: 'b', at: 1, silentMs: 30_000 }])
  const [, , , own = '', , , , signature = '', , proposal = ''] = await lastFields(log)
  const change = encodeChange({ type: 'offline', users: ['b', 'c'].map((id) => ({ id, at: 1 })) })
  const entries = await client.xrange(log, '-', '+')
  await client.xdel(log, entries.at(-1)?.[0] ?? '')
  const fields = ['number', entries.length, 'own', own, 'change', change, 'signature', signature]
  await client.xadd(log, '*', ...fields, 'proposal', proposal)
  const later = await joinRoomLog(redis.url, hostId)
  await expect.poll(() => later.state.participants.get('b')?.is_online).toBe(false)
  expect(later.state.participants.get('c')?.is_online).toBe(true)
})
