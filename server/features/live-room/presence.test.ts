import { once } from 'node:events'
import { connect } from 'node:net'
import { beforeEach, describe, expect, test } from 'vitest'
import { createSchedule } from '../../../shared/phone/schedule.ts'
import { OnlineUsersAnswer, RoomUsersAnswer } from '../../../shared/room-users.ts'
import { signInPhone } from '../../../simulator/sign-in.ts'
import {
  buildHost,
  buildPhone,
  buildRoomUser,
  call,
  PASSWORD,
  requestStream,
  type SignedIn,
  type TestHost,
  type TestPhone,
} from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'
import { openStream } from '../../../test/servers/stream.ts'

let now = Date.parse('2026-11-21T10:00:00Z')
let host: TestHost
let phone: TestPhone

const server = await setup({ now: () => now })
const origin = await server.app.listen({ port: 0, host: '127.0.0.1' })
beforeEach(async () => {
  host = await buildHost(server)
  phone = await buildPhone(server, host, await buildRoomUser(server, host))
})

const status = (body?: object) => call(server, 'POST', '/mobile/status', { as: phone, body })
const mute = async () => (await call(server, 'POST', '/host/trigger-bulk-mute/mute', { as: host })).body.data
const fetchUser = async () => {
  const answer = await call(server, 'GET', '/host/users', { as: host })
  return RoomUsersAnswer.parse(answer.body).data.users[0]
}
const fetchOnline = async () => {
  const answer = await call(server, 'GET', '/host/online-users', { as: host })
  return OnlineUsersAnswer.parse(answer.body).data.users
}

const address = async (as: SignedIn) => origin + (await requestStream(server, host, as)).body.sseUrl
const streamFor = async (as: SignedIn) => openStream(await address(as))

/** Moves the clock in the steps of the presence sweep. */
async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    now += 1_000
    await server.deps.rooms.sweep()
  }
}

describe('online', () => {
  test('a silent phone goes offline and its open stream ends', async () => {
    const stream = await streamFor(phone)
    await pass(29)
    await status()
    await pass(30)
    expect(await fetchOnline()).toMatchObject([{ id: phone.id, is_online: true }])
    await pass(1)
    expect(await fetchOnline()).toEqual([])
    await stream.ended
  })

  test('an acknowledged command counts as a sign of life', async () => {
    const stream = await streamFor(phone)
    await mute()
    const { id } = await stream.next('host-mute-all', { active: true })
    await pass(29)
    await status({ acks: [id] })
    await pass(29)
    expect(await fetchOnline()).toMatchObject([{ asleep: true, pending_command: null }])
  })

  test('ends the stream of a vanished reader even if its network does not report it', async () => {
    const { port, hostname, pathname, host: name } = new URL(await address(phone))
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true }) // never answers the server's FIN
    socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${name}\r\n\r\n`)
    await once(socket, 'data')
    socket.on('error', () => {})
    expect(server.deps.streams.count).toBe(1)
    await pass(33)
    await expect.poll(() => server.deps.streams.count).toBe(0)
    socket.destroy()
  })

  test('keeps a stream that was opened before the first status call', async () => {
    await call(server, 'POST', '/mobile/logout', { as: phone })
    const user = await buildRoomUser(server, host, { username: 'early' })
    const early = await buildPhone(server, host, user)
    await pass(31)
    const stream = await streamFor(early)
    await pass(2)
    await call(server, 'POST', '/mobile/status', { as: early })
    await mute()
    await stream.next('host-mute-all', { active: true })
    await pass(29)
    expect(server.deps.streams.count).toBe(1)
    expect(await fetchOnline()).toMatchObject([{ id: user.id }])
  })

  test('a phone reconnects by itself when its stream ended while it slept', async () => {
    const held: (() => void)[] = []
    const hold = (_ms: number, beat: () => void) => {
      held.push(beat)
      return () => {}
    }
    const schedule = { ...createSchedule(), after: hold }
    const user = await buildRoomUser(server, host, { username: 'sleeper' })
    const login = { baseUrl: origin, hostId: host.user_id, username: 'sleeper', password: PASSWORD }
    const sleeper = await signInPhone({ ...login, schedule })
    await sleeper.openStream()
    const isBack = new Promise<void>((resolve) => {
      sleeper.once('stream', () => sleeper.on('stream', (what) => what === 'open' && resolve()))
    })
    const console = await streamFor(host)
    // A status call still in flight keeps it online a little longer.
    const fetchOnlineIds = async () => (await fetchOnline()).map(({ id }) => id)
    await expect.poll(() => pass(31).then(fetchOnlineIds)).not.toContain(user.id)
    await console.next('user-online', { user_id: user.id, is_online: false })
    await isBack
    held.at(-1)?.()
    await expect.poll(fetchOnline).toMatchObject([{ id: user.id, asleep: false }])
    const received = sleeper.waitForEvent((event) => event.name === 'host-mute-all' && event.data.active)
    expect(await mute()).toMatchObject({ targeted: 1, reachable: 1 })
    await received
    sleeper.close()
    schedule.close()
  })
})

describe('asleep', () => {
  test('shows a user as asleep after 15 s of silence, in lists and events, and not as reachable', async () => {
    const console = await streamFor(host)
    await streamFor(phone)
    expect(await console.next('user-online')).toMatchObject({ data: { asleep: false } })
    await pass(15)
    expect(await fetchOnline()).toMatchObject([{ asleep: false }])
    expect(await mute()).toMatchObject({ targeted: 1, reachable: 1 })

    await pass(1)
    expect(await console.next('user-online')).toMatchObject({
      data: { user_id: phone.id, is_online: true, asleep: true },
    })
    expect(await fetchOnline()).toMatchObject([{ asleep: true, status: 'Online' }])
    expect(await fetchUser()).toMatchObject({ asleep: true, status: 'Online' })
    expect(await mute()).toMatchObject({ targeted: 1, reachable: 0 })
    expect(await (await streamFor(host)).next('user-online')).toMatchObject({ data: { asleep: true } })

    await status()
    expect(await console.next('user-online')).toMatchObject({ data: { is_online: true, asleep: false } })
    expect(await fetchUser()).toMatchObject({ asleep: false })
    expect(await mute()).toMatchObject({ targeted: 1, reachable: 1 })
  })

  test('a phone in the background is asleep at once, until any later sign of life', async () => {
    const console = await streamFor(host)
    for (const sign of [undefined, { awake: true }, { wants_to_speak: true }, { acks: ['one'] }]) {
      await status({ awake: false })
      expect(await console.next('user-online', { asleep: true })).toMatchObject({ data: { is_online: true } })
      expect(await fetchOnline()).toMatchObject([{ asleep: true }])
      await status(sign)
      await console.next('user-online', { asleep: false })
      expect(await fetchOnline()).toMatchObject([{ asleep: false }])
    }
  })

  test.each([
    ['says that it sleeps', () => status({ awake: false })],
    ['says nothing for 15 s', () => pass(16)],
  ])('a phone that %s while it speaks has stopped, and speaks again once it is heard', async (_what, sleep) => {
    const console = await streamFor(host)
    await status({ speaker_on: true, is_speaking: true })
    await console.next('user-speaking-status', { is_speaking: true })
    await sleep()
    await console.next('user-speaking-status', { is_speaking: false })
    expect(await fetchOnline()).toMatchObject([{ asleep: true, is_speaking: false, speaker_on: true }])
    await status({ is_speaking: true })
    expect(await fetchOnline()).toMatchObject([{ asleep: false, is_speaking: true }])
  })

  test('offline users, and those that come back, are not asleep', async () => {
    await pass(31)
    expect(await fetchUser()).toMatchObject({ asleep: false, is_online: false })
    await status()
    expect(await fetchOnline()).toMatchObject([{ asleep: false }])
    await status({ awake: false })
    await call(server, 'POST', '/mobile/logout', { as: phone })
    expect(await fetchUser()).toMatchObject({ asleep: false, is_online: false })
  })
})

describe('a phone that says that it has left', () => {
  test('is offline at once, stays signed in, and comes back with its next call', async () => {
    const console = await streamFor(host)
    await status({ speaker_on: true, is_speaking: true, wants_to_speak: true, audio: 'on' })
    await pass(7)
    expect((await status({ left: true })).body.data).toMatchObject({ speaker_on: false, wants_to_speak: false })
    await console.next('user-online', { user_id: phone.id, is_online: false })
    expect(await fetchOnline()).toEqual([])
    expect(await fetchUser()).toMatchObject({ status: 'Active', last_seen: new Date(now).toISOString() })
    expect(await mute()).toMatchObject({ targeted: 0 })
    await pass(60)
    await status()
    expect(await fetchOnline()).toMatchObject([{ id: phone.id, asleep: false, audio: null, wants_to_speak: false }])
  })

  test('is believed ten times at once, then every six seconds, and else counts as asleep', async () => {
    for (let n = 0; n < 10; n++) {
      await status()
      await status({ left: true })
      expect(await fetchOnline()).toEqual([])
    }
    await status({ left: true })
    expect(await fetchOnline()).toMatchObject([{ id: phone.id, asleep: true }])
    await pass(6)
    await status({ left: true })
    expect(await fetchOnline()).toEqual([])
  })

  test('may leave without an active subscription, and is not let in by that', async () => {
    const subscription_end_date = new Date(now - 1)
    await server.deps.db.updateTable('hosts').set({ subscription_end_date }).where('id', '=', host.id).execute()
    expect((await status({ left: true })).status).toBe(200)
    expect(await fetchOnline()).toEqual([])
    for (let n = 0; n < 10; n++) await status({ left: true })
    expect(await status({ left: true })).toMatchObject({ status: 403, body: { code: 'subscription_inactive' } })
  })
})

test('last_seen is always known while online, and is the last sign of life afterwards', async () => {
  const seenAt = async () => (await fetchUser())?.last_seen
  expect(await seenAt()).toBe(new Date(now).toISOString())
  for (let beats = 0; beats < 9; beats++) {
    await pass(10)
    await status()
  }
  const lastSign = now
  await pass(1)
  const shown = Date.parse((await seenAt()) ?? '')
  expect(lastSign - shown).toBeLessThanOrEqual(40_000) // the longest lag of the lists
  await pass(31)
  expect(await fetchOnline()).toEqual([])
  expect(await seenAt()).toBe(new Date(lastSign).toISOString())
  await server.deps.rooms.forget(host.id)
  expect(await seenAt()).toBe(new Date(lastSign).toISOString()) // the stored value
})

test('publishes at most twenty changes a second of a flapping phone, and the last of the others', async () => {
  const console = await streamFor(host)
  await console.next('user-online')
  const room = await server.deps.rooms.get(host.id)
  const say = (body: object) => room.commands.applyStatusCall(phone.id, body)
  for (let n = 1; n <= 50; n++) await say({ wants_to_speak: n % 2 === 1, awake: n % 2 === 1 })
  await say({ speaker_on: true, awake: false })
  expect(room.user(phone.id)).toMatchObject({ wants_to_speak: false, speaker_on: false, asleep: true })
  await console.next('user-speaker-toggle', { speaker_on: true })
  expect(room.user(phone.id)).toMatchObject({ wants_to_speak: false, speaker_on: true, asleep: true })
  const hands = console.received.filter(({ name }) => name === 'user-speaker-toggle')
  expect(hands).toHaveLength(1 + 20 + 1) // the first, twenty changes, and the merged rest

  await say({ wants_to_speak: true }) // a second later it is published at once
  expect(room.user(phone.id)).toMatchObject({ wants_to_speak: true, asleep: false })
})

test('discards delayed changes when the phone leaves', async () => {
  const room = await server.deps.rooms.get(host.id)
  for (let n = 0; n < 50; n++) await room.commands.applyStatusCall(phone.id, { wants_to_speak: n % 2 === 0 })
  await room.commands.applyStatusCall(phone.id, { wants_to_speak: true })
  await call(server, 'POST', '/mobile/logout', { as: phone })
  const other = await buildPhone(server, host, await buildRoomUser(server, host))
  for (let n = 0; n < 22; n++)
    await room.commands.applyStatusCall(other.id, { wants_to_speak: n % 2 === 0, speaker_on: n === 21 })
  await expect.poll(() => room.user(other.id)).toMatchObject({ speaker_on: true }) // the second is over
  expect(room.user(phone.id)).toMatchObject({ is_online: false, wants_to_speak: false })
})
