import { Redis } from 'ioredis'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { RoomCommands } from '../../server/features/live-room/room-commands.ts'
import { OnlineUsersAnswer } from '../../shared/room-users.ts'
import {
  buildHost,
  buildPhone,
  buildRoomUser,
  call,
  requestStream,
  type SignedIn,
  type TestHost,
  type TestPhone,
} from '../factories/accounts.ts'
import { openStream } from '../servers/stream.ts'
import { setupNodes, type TestNode } from './setup.ts'

const { a, b, redis } = await setupNodes()

let host: TestHost
let phone: TestPhone
beforeEach(async () => {
  host = await buildHost(a)
  phone = await buildPhone(a, host, await buildRoomUser(a, host))
})

const status = (node: TestNode, body: object = {}) => call(node, 'POST', '/mobile/status', { as: phone, body })
const online = async (node: TestNode) => {
  const { body } = await call(node, 'GET', '/host/online-users', { as: host })
  return OnlineUsersAnswer.parse(body).data.users
}
const listen = async (node: TestNode, as: SignedIn = host, lastEventId?: string) =>
  openStream(node.origin + (await requestStream(node, host, as)).body.sseUrl, lastEventId)

describe('one room on two servers', () => {
  test('what a phone reports to one is shown by the other', async () => {
    const console = await listen(b)
    await status(a, { speaker_on: true, is_speaking: true })
    await console.next('user-speaking-status', { user_id: phone.id, is_speaking: true })
    expect(await online(b)).toMatchObject([{ id: phone.id, is_speaking: true }])
    expect(await online(b)).toEqual(await online(a))
  })

  test('a phone that leaves at one is gone at both, wherever it was before', async () => {
    const console = await listen(b)
    await status(b)
    await status(a, { left: true })
    await console.next('user-online', { user_id: phone.id, is_online: false })
    for (const node of [a, b]) expect(await online(node)).toEqual([])
  })

  test('a phone that leaves at one and joins again at the other is there at both', async () => {
    await status(b)
    for (const [here, there] of [
      [a, b],
      [b, a],
    ] as const) {
      const console = await listen(there)
      await status(here, { left: true })
      await status(there, { rejoined: true, microphone: 'refused' })
      await console.next('user-online', { user_id: phone.id, is_online: true })
      for (const node of [a, b])
        await expect.poll(() => online(node)).toMatchObject([{ id: phone.id, microphone: 'refused' }])
    }
  })

  test('a microphone that was closed again at one is announced at the other, once', async () => {
    const console = await listen(b)
    await call(b, 'POST', `/host/users/${phone.id}/mute`, { as: host })
    await Promise.all([a, b, a, b].map((node) => status(node, { muted_again: true })))
    await console.next('user-muted-again', { user_id: phone.id })
    await call(a, 'POST', `/host/users/${phone.id}/unmute`, { as: host })
    await console.next('user-mute-status', { is_muted: false })
    expect(console.received.filter(({ name }) => name === 'user-muted-again')).toHaveLength(1)
  })

  test('that the meeting runs, phones at both hear, whichever server hears it from Zoom', async () => {
    const other = await buildPhone(b, host, await buildRoomUser(b, host))
    const [here, there, console] = [await listen(a, phone), await listen(b, other), await listen(a)]
    for (const is_running of [true, false]) {
      const room = await (is_running ? a : b).deps.rooms.getIfInUse(host.id)
      await room?.commands.announceMeeting(is_running ? 'a sitting' : null)
      for (const stream of [here, there])
        expect(await stream.next('meeting-runs', { is_running })).toMatchObject({ id: '', data: { spread_ms: 10 } })
    }
    await call(b, 'POST', '/host/trigger-bulk-mute/mute', { as: host })
    await console.next('host-mute-all', { active: true })
    expect(console.received.filter(({ name }) => name === 'meeting-runs')).toEqual([])
  })

  test('a user who is pinned at one is spared by a Mute All at the other, at both', async () => {
    const other = await buildPhone(a, host, await buildRoomUser(a, host))
    await status(a)
    await call(a, 'POST', '/mobile/status', { as: other, body: {} })
    await call(a, 'POST', `/host/users/${phone.id}/pin`, { as: host })
    await expect.poll(() => online(b)).toContainEqual(expect.objectContaining({ id: phone.id, is_pinned: true }))
    await call(b, 'POST', '/host/trigger-bulk-mute/mute', { as: host })
    const open = async (node: TestNode) => (await online(node)).filter((one) => !one.is_muted).map(({ id }) => id)
    for (const node of [a, b]) await expect.poll(() => open(node)).toEqual([phone.id])
  })

  test('a phone at one obeys a console at the other', async () => {
    const stream = await listen(a, phone)
    await call(b, 'POST', '/host/trigger-bulk-mute/mute', { as: host })
    const { id } = await stream.next('host-mute-all', { active: true })
    await status(a, { acks: [id] })
    await expect.poll(() => online(b)).toMatchObject([{ is_muted: true, pending_command: null }])
  })

  test('acknowledgements that settle nothing cost Redis nothing, and one that does is a single id', async () => {
    const stream = await listen(a, phone)
    await call(b, 'POST', '/host/trigger-bulk-mute/mute', { as: host })
    const { id } = await stream.next('host-mute-all', { active: true })
    const client = new Redis(redis.url)
    const [log = ''] = await client.keys(`*:${host.id}:log`)
    const newest = async () => (await client.xrevrange(log, '+', '-', 'COUNT', 1))[0]?.[0] ?? ''
    const before = await newest()
    const others = Array.from({ length: 199 }, (_, n) => `another-${n}`)
    await Promise.all(Array.from({ length: 20 }, () => status(a, { acks: others })))
    expect(await newest()).toBe(before)
    await status(a, { acks: [...others, id] })
    await expect.poll(() => online(b)).toMatchObject([{ pending_command: null }])
    const added = await client.xrange(log, `(${before}`, '+')
    expect(JSON.stringify(added)).toContain(id)
    expect(JSON.stringify(added)).not.toContain('another')
    client.disconnect()
  })

  test('a log of large changes stays small in Redis, and both servers agree', async () => {
    const room = await a.deps.rooms.get(host.id)
    const ids = Array.from({ length: 10_000 }, (_, n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`)
    await online(b)
    const client = new Redis(redis.url)
    const [log = ''] = await client.keys(`*:${host.id}:log`)
    for (let n = 0; n < 40; n++) await room.commands.lowerHands(ids)
    await call(b, 'POST', `/host/users/${phone.id}/mute`, { as: host })
    await expect.poll(() => online(a)).toMatchObject([{ is_muted: true }])
    expect(await online(b)).toEqual(await online(a))
    expect(Number(await client.call('MEMORY', 'USAGE', log))).toBeLessThan(10_000_000) // all of them are 16 MB
    client.disconnect()
  })

  test('what one has committed is in the list of the other at once', async () => {
    const ids = async (node: TestNode) => {
      const { users } = (await call(node, 'GET', '/host/users', { as: host })).body.data
      return users.map(({ id }: { id: string }) => id)
    }
    for (let round = 0; round < 20; round++) {
      const [here, there] = round % 2 === 0 ? [a, b] : [b, a]
      const { id } = await buildRoomUser(here, host)
      expect((await call(there, 'GET', `/host/users/${id}`, { as: host })).status).toBe(200)
      expect(await ids(there)).toContain(id)
    }
  })

  test('users who are added at both at once are all answered', async () => {
    const added = await Promise.all(Array.from({ length: 40 }, (_, index) => buildRoomUser(index % 2 ? a : b, host)))
    expect(new Set(added.map(({ id }) => id)).size).toBe(40)
  })

  test('a command reaches phones at both', async () => {
    const other = await buildPhone(b, host, await buildRoomUser(a, host))
    const streams = [await listen(a, phone), await listen(b, other)]
    const muteAll = async () => (await call(b, 'POST', '/host/trigger-bulk-mute/mute', { as: host })).body.data
    await expect.poll(muteAll).toMatchObject({ targeted: 2, reachable: 2 })
    for (const stream of streams) await stream.next('host-mute-all', { active: true })
  })

  test('a phone whose stream has just opened at one is counted as reachable at the other', async () => {
    await online(a)
    for (let round = 0; round < 5; round++) {
      const user = await buildRoomUser(a, host)
      const joining = await buildPhone(b, host, user)
      await expect.poll(async () => (await online(a)).map(({ id }) => id)).toContain(user.id)
      await (await listen(b, joining)).next('test')
      const { body } = await call(a, 'POST', `/host/users/${user.id}/mute`, { as: host })
      expect(body.data).toMatchObject({ targeted: 1, reachable: 1 })
    }
  })

  test('a stream that moves to the other server gets what it missed, once', async () => {
    const before = await listen(a)
    const { id } = await before.next('test')
    before.close()
    for (const speaker_on of [true, false, true]) await status(a, { speaker_on })
    const after = await listen(b, host, id)
    await call(a, 'POST', '/host/trigger-bulk-mute/mute', { as: host })
    await after.next('host-mute-all', { active: true })
    const changes = after.received.filter(({ name }) => name === 'user-speaker-toggle')
    expect(changes.map(({ data }) => data.speaker_on)).toEqual([true, false, true])
  })

  test('a poll that moves to the other server gets its 304', async () => {
    await status(a, { wants_to_speak: true })
    const poll = (node: TestNode, tag?: string) =>
      call(node, 'GET', '/host/online-users', { as: host, headers: tag ? { 'if-none-match': tag } : {} })
    await expect.poll(async () => (await poll(b)).headers.etag).toBe((await poll(a)).headers.etag)
    const { etag } = (await poll(a)).headers
    expect((await poll(b, String(etag))).status).toBe(304)
  })

  test('a change that one commits and cannot append reaches both', async () => {
    await online(b)
    const failing = vi.spyOn(RoomCommands.prototype, 'commit').mockRejectedValueOnce(new Error('It died'))
    expect((await call(a, 'POST', `/host/users/${phone.id}/mute`, { as: host })).status).toBe(500)
    failing.mockRestore()
    for (const node of [a, b]) await expect.poll(() => online(node)).toMatchObject([{ is_muted: true }])
  })
})

describe('changes that follow each other closely at two servers', () => {
  test('a hand that one lowers is lowered, although the other is quicker to append', async () => {
    await status(a, { wants_to_speak: true })
    await expect.poll(() => online(b)).toMatchObject([{ wants_to_speak: true }])
    const commit = RoomCommands.prototype.commit
    const other = Promise.withResolvers<unknown>()
    const slow = vi.spyOn(RoomCommands.prototype, 'commit').mockImplementationOnce(async function (
      this: RoomCommands,
      ...args
    ) {
      await other.promise
      return commit.apply(this, args)
    })
    const lowered = call(a, 'POST', `/host/users/${phone.id}/lower-hand`, { as: host })
    await expect.poll(() => slow.mock.calls.length).toBe(1)
    other.resolve(await call(b, 'POST', `/host/users/${phone.id}/mute`, { as: host }))
    expect((await lowered).status).toBe(200)
    for (const node of [a, b])
      await expect.poll(() => online(node)).toMatchObject([{ is_muted: true, wants_to_speak: false }])
  })
})

test('a phone that was muted over one gets no older state from the other, which is behind', async () => {
  const stream = await listen(a, phone)
  const [epoch = '', seq] = (await stream.next('test')).id.split('-')
  await status(b)
  const commit = RoomCommands.prototype.commit
  const answered = Promise.withResolvers<unknown>()
  const slow = vi.spyOn(RoomCommands.prototype, 'commit').mockImplementationOnce(async function (
    this: RoomCommands,
    ...args
  ) {
    await answered.promise
    return commit.apply(this, args)
  })
  const muted = call(a, 'POST', `/host/users/${phone.id}/mute`, { as: host })
  await expect.poll(() => slow.mock.calls.length).toBe(1)
  const { data } = (await status(b, { acks: [`${epoch}-${Number(seq) + 100}`] })).body
  answered.resolve(null)
  expect((await muted).status).toBe(200)
  expect(data.is_muted).toBe(true)
})

test('a call is answered when the changes before its own are applied, which another server appends later', async () => {
  await online(b)
  const commit = RoomCommands.prototype.commit
  const appended = Promise.withResolvers<void>()
  const spy = vi
    .spyOn(RoomCommands.prototype, 'commit')
    .mockImplementationOnce(async function (this: RoomCommands, ...args) {
      await appended.promise
      return commit.apply(this, args)
    })
    .mockImplementationOnce(async function (this: RoomCommands, ...args) {
      await commit.apply(this, args)
      appended.resolve()
    })
  const muted = call(a, 'POST', `/host/users/${phone.id}/mute`, { as: host })
  await expect.poll(() => spy.mock.calls.length).toBe(1)
  const { id } = await buildRoomUser(b, host)
  expect(b.deps.rooms.peek(host.id)?.user(id)).toMatchObject({ id })
  expect((await muted).status).toBe(200)
})

describe('without Redis', () => {
  test('a phone gets what was committed at the other at once', async () => {
    await status(b)
    await redis.kill()
    const isAlone = async () => (await call(b, 'GET', '/host/online-users', { as: host })).body.out_of_step
    await expect.poll(isAlone).toBe(true)
    for (const action of ['mute', 'unmute', 'mute']) {
      expect((await call(a, 'POST', `/host/users/${phone.id}/${action}`, { as: host })).status).toBe(200)
      expect((await status(b)).body.data.is_muted).toBe(action === 'mute')
    }
    await redis.start()
    await expect.poll(isAlone).toBe(undefined)
  })

  test('each server goes on by itself, and the database brings what is committed elsewhere', async () => {
    await online(b)
    await redis.kill()
    expect((await call(a, 'POST', `/host/users/${phone.id}/mute`, { as: host })).status).toBe(200)
    expect(await online(a)).toMatchObject([{ is_muted: true }])
    await expect.poll(() => online(b)).toMatchObject([{ is_muted: true }])
    await redis.start()
    await status(a, { wants_to_speak: true })
    await expect.poll(() => online(b)).toMatchObject([{ id: phone.id, is_muted: true, wants_to_speak: true }])
    const console = await listen(b)
    await status(a, { wants_to_speak: false })
    await console.next('user-speaker-toggle', { wants_to_speak: false })
  })

  test('a mute while Redis was frozen is not undone when it answers again', async () => {
    await online(b)
    redis.pause()
    await call(a, 'POST', `/host/users/${phone.id}/mute`, { as: host })
    for (const node of [a, b]) await expect.poll(() => online(node)).toMatchObject([{ is_muted: true }])
    redis.resume()
    const isInStep = () => [a, b].every(({ deps }) => deps.rooms.peek(host.id)?.isInStep)
    const answers: boolean[] = []
    for (let calls = 0; calls < 20 || !isInStep(); calls++)
      for (const node of [a, b]) answers.push((await status(node)).body.data.is_muted)
    expect(answers).not.toContain(false)
  })
})
