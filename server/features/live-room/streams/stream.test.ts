import { once } from 'node:events'
import { connect } from 'node:net'
import { queryObjects } from 'node:v8'
import { beforeEach, describe, expect, test } from 'vitest'
import { seededRandom } from '../../../../simulator/random.ts'
import { eventLoopTurns } from '../../../../test/event-loop-turns.ts'
import {
  buildHost,
  buildPhone,
  buildRoomUser,
  call,
  openSession,
  phoneLogin,
  requestStream,
  type SignedIn,
  type TestHost,
} from '../../../../test/factories/accounts.ts'
import { MovingConsole } from '../../../../test/servers/moving-console.ts'
import { setup } from '../../../../test/servers/setup.ts'
import { startTestApp } from '../../../../test/servers/start.ts'
import { type OpenStream, openStream } from '../../../../test/servers/stream.ts'
import { ROOM_TIMES } from '../room-times.ts'
import { EventStream } from './sse.ts'

let host: TestHost

const server = await setup()
const origin = await server.app.listen({ port: 0, host: '127.0.0.1' })
beforeEach(async () => {
  host = await buildHost(server)
})

const address = async (as: SignedIn) => origin + (await requestStream(server, host, as)).body.sseUrl
const streamFor = async (as: SignedIn, lastEventId?: string) => openStream(await address(as), lastEventId)
const act = (id: string, action: string) => call(server, 'POST', `/host/users/${id}/${action}`, { as: host })
/** Bulk actions are not rate-limited like single ones. */
const bulk = (id: string, action: string) =>
  call(server, 'POST', `/host/users/bulk/${action}`, { as: host, body: { userIds: [id] } })
const status = (as: SignedIn, body?: unknown) => call(server, 'POST', '/mobile/status', { as, body })

test('a console’s stream begins with test and the state, then sends the events', async () => {
  const user = await buildRoomUser(server, host)
  const phone = await buildPhone(server, host, user)
  const console = await streamFor(host)
  expect(await console.next('test')).toMatchObject({ data: { server_time: expect.any(String) } })
  expect(await console.next('host-mute-all')).toMatchObject({ data: { active: false } })
  expect(await console.next('user-online')).toMatchObject({ data: { user_id: user.id, is_online: true } })

  await status(phone, { speaker_on: true, is_speaking: true, wants_to_speak: true })
  expect(await console.next('user-speaker-toggle', { wants_to_speak: true })).toMatchObject({
    data: { speaker_on: true },
  })
  expect(await console.next('user-speaking-status', { is_speaking: true })).toMatchObject({
    data: { user_id: user.id },
  })
})

test('sends phones no presence, not even of their own user', async () => {
  const phone = await buildPhone(server, host, await buildRoomUser(server, host))
  const stream = await streamFor(phone)
  await stream.next('user-mute-status')
  await status(phone, { awake: false })
  await call(server, 'POST', '/host/trigger-bulk-mute/mute', { as: host })
  await stream.next('host-mute-all', { active: true })
  expect(stream.received.some(({ name }) => name === 'user-online')).toBe(false)
})

test('a command has an id, and is pending until the phone acknowledges that id', async () => {
  const user = await buildRoomUser(server, host)
  const phone = await buildPhone(server, host, user)
  const stream = await streamFor(phone)
  await stream.next('user-mute-status')
  const sent = await call(server, 'POST', '/host/trigger-bulk-mute/mute', { as: host })
  expect(sent.body.data).toMatchObject({ targeted: 1, reachable: 1 })

  const received = await stream.next('host-mute-all', { active: true })
  const console = await streamFor(host)
  const pending = async () =>
    (await call(server, 'GET', '/host/online-users', { as: host })).body.data.users[0].pending_command
  expect(await pending()).toEqual({ id: received.id, type: 'mute-all' })
  await status(phone, { acks: ['nonsense', '', received.id] })
  expect(await pending()).toBeNull()
  expect(await console.next('commands-acknowledged')).toMatchObject({ data: { user_ids: [user.id] } })
})

test('groups acknowledgements for consoles, and omits users with a newer command', async () => {
  const users = [
    await buildRoomUser(server, host),
    await buildRoomUser(server, host),
    await buildRoomUser(server, host),
  ]
  const phones = await Promise.all(users.map((user) => buildPhone(server, host, user)))
  const [stream, console] = [await streamFor(phones[0] ?? host), await streamFor(host)]
  await call(server, 'POST', '/host/trigger-bulk-mute/mute', { as: host })
  const { id } = await stream.next('host-mute-all', { active: true })
  const room = await server.deps.rooms.get(host.id)
  const answers = phones.map((phone) => room.commands.applyStatusCall(phone.id, { acks: [id] }))
  const unmute = { type: 'mute' as const, ids: [phones[2]?.id ?? ''], is_muted: false, by: 'host' }
  await room.commands.commit(room.changeNumber + 1, [unmute])
  await Promise.all(answers)
  const { data } = await console.next('commands-acknowledged')
  expect(data.user_ids).toEqual([phones[0]?.id, phones[1]?.id])
  expect(stream.received.map(({ name }) => name)).not.toContain('commands-acknowledged')
})

test('sends a lowered hand to the phone at once', async () => {
  const phone = await buildPhone(server, host, await buildRoomUser(server, host))
  const stream = await streamFor(phone)
  await status(phone, { wants_to_speak: true })
  await stream.next('user-speaker-toggle', { wants_to_speak: true })
  await act(phone.id, 'lower-hand')
  expect(await stream.next('user-speaker-toggle', { wants_to_speak: false })).toMatchObject({
    data: { user_id: phone.id, wants_to_speak_at: null },
  })
})

test('sends a phone its own events and host-mute-all only', async () => {
  const [mine, other] = [await buildRoomUser(server, host), await buildRoomUser(server, host)]
  const phone = await buildPhone(server, host, mine)
  const otherPhone = await buildPhone(server, host, other)
  const stream = await streamFor(phone)
  await act(other.id, 'mute')
  await status(otherPhone, { wants_to_speak: true })
  await act(mine.id, 'mute')
  await stream.next('user-mute-status', { is_muted: true })
  const named = stream.received.map((event) => event.data.user_id).filter((id) => id !== undefined)
  expect(new Set(named)).toEqual(new Set([mine.id]))
})

describe('reconnecting', () => {
  test('with the last id replays the missed events, in order', async () => {
    const user = await buildRoomUser(server, host)
    await buildPhone(server, host, user)
    const first = await streamFor(host)
    await act(user.id, 'mute')
    const last = await first.next('user-mute-status', { is_muted: true })
    first.close()
    await act(user.id, 'unmute')
    await act(user.id, 'mute')
    await act(user.id, 'unmute')

    const again = await streamFor(host, last.id)
    await act(user.id, 'mute')
    await again.next('user-mute-status', { is_muted: true })
    await again.next('user-mute-status', { is_muted: true })
    const mutes = again.received
      .filter((event) => event.name === 'user-mute-status')
      .map((event) => event.data.is_muted)
    expect(mutes).toEqual([false, true, false, true])
    expect(again.received.some((event) => event.name === 'user-online')).toBe(false)
  })

  test('after a thousand events sends exactly these, in order, once', async () => {
    const user = await buildRoomUser(server, host)
    const first = await streamFor(host)
    const { id } = await first.next('test')
    first.close()
    const room = await server.deps.rooms.get(host.id)
    const mute = (is_muted: boolean) =>
      room.commands.commit(room.changeNumber + 1, [{ type: 'mute', ids: [user.id], is_muted, by: 'host' }])
    for (let round = 0; round < 1_000; round++) await mute(round % 2 === 0)
    const again = await streamFor(host, id)
    await room.commands.signOut([user.id], 'logout')
    await again.next('user-deactivated')

    const [epoch, seq] = id.split('-')
    const events = again.received.slice(1, -1)
    expect(events.map((event) => event.id)).toEqual(
      Array.from({ length: 1_000 }, (_, index) => `${epoch}-${Number(seq) + 1 + index}`),
    )
    expect(events.map(({ data }) => data.is_muted)).toEqual(events.map((_, index) => index % 2 === 0))
  })

  test('with an id older than what is kept sends the state again, and nothing of the past', async () => {
    const user = await buildRoomUser(server, host)
    const phone = await buildPhone(server, host, user)
    const first = await streamFor(host)
    const { id } = await first.next('test')
    first.close()
    const room = await server.deps.rooms.get(host.id)
    for (let round = 0; round < 3_100; round++) {
      const mute = { type: 'mute' as const, ids: [user.id], is_muted: round % 2 === 0, by: 'host' }
      await room.commands.commit(room.changeNumber + 1, [mute])
    }

    const again = await streamFor(host, id)
    await status(phone, { wants_to_speak: true })
    await again.next('user-speaker-toggle', { wants_to_speak: true })
    expect(again.received.map(({ name }) => name).slice(0, 3)).toEqual(['test', 'host-mute-all', 'user-online'])
    expect(again.received.length).toBeLessThan(10)
  })

  test.each(['garbage', 'other-epoch-5', 'aaaa-1'])('with an unknown id (%s) sends the state again', async (id) => {
    const user = await buildRoomUser(server, host)
    await buildPhone(server, host, user)
    const stream = await streamFor(host, id)
    expect(await stream.next('user-online')).toMatchObject({ data: { user_id: user.id } })
    expect(stream.received.map((event) => event.name).slice(0, 2)).toEqual(['test', 'host-mute-all'])
  })
})

test('no event is lost between the state and what follows it, while others change the room', async () => {
  const users = await Promise.all(Array.from({ length: 4 }, () => buildRoomUser(server, host)))
  for (const user of users) await buildPhone(server, host, user)
  const opened: Promise<OpenStream>[] = []
  let last: Promise<unknown> = Promise.resolve()
  for (let round = 0; round < 60; round++) {
    const user = users[(round * 7) % users.length]
    last = bulk(user?.id ?? '', round % 3 === 0 ? 'unmute' : 'mute')
    if (round % 3 === 1) opened.push(openSession(server, host.id).then((token) => streamFor({ token })))
    if (round % 5 === 2) await last
  }
  await last
  const streams = await Promise.all(opened)
  const room = await server.deps.rooms.get(host.id)
  expect((await bulk(users[0]?.id ?? '', 'logout')).status).toBe(200)
  for (const stream of streams) {
    await stream.next('user-deactivated')
    const muted = new Map<unknown, unknown>()
    for (const { name, data } of stream.received)
      if (name === 'user-mute-status') muted.set(data.user_id, data.is_muted)
    for (const { id } of users) expect(muted.get(id) ?? false).toBe(room.user(id)?.is_muted)
  }
})

test('a thousand streams that open at any moment, anew or after an event, get each event once', async () => {
  const random = seededRandom('moments')
  const users = await Promise.all(Array.from({ length: 4 }, () => buildRoomUser(server, host)))
  const room = await server.deps.rooms.get(host.id)
  const port = Number(new URL(origin).port)
  let isOver = false
  const acting = (async () => {
    for (let round = 0; !isOver; round++) {
      const mute = { type: 'mute' as const, ids: [random.pick(users)?.id ?? ''], is_muted: round % 2 === 0, by: 'host' }
      await room.commands.commit(room.changeNumber + 1, [mute])
      await eventLoopTurns(random.between(0, 5))
    }
    return room.commands.signOut([users[0]?.id ?? ''], 'logout')
  })()
  const sessions = await Promise.all(Array.from({ length: 50 }, () => openSession(server, host.id)))
  const consoles = await Promise.all(
    sessions.map(async (token) => {
      const { sseUrl } = (await requestStream(server, host, { token })).body
      const opened = [new MovingConsole(sseUrl)]
      for (let time = 0; time < 20; time++) {
        if (random.next() < 0.3) opened.push(new MovingConsole(sseUrl))
        await eventLoopTurns(random.between(0, 20))
        await opened.at(-1)?.openAt({ port })
        await eventLoopTurns(random.between(0, 20))
        if (time < 19) await opened.at(-1)?.leave()
      }
      return opened
    }),
  )
  isOver = true
  await acting
  for (const opened of consoles) {
    await opened.at(-1)?.next('user-deactivated', {})
    await opened.at(-1)?.leave()
    expect(opened.map(({ faults }) => faults)).toEqual(opened.map(() => []))
  }
})

test('sends a comment before a proxy would close a silent stream', async () => {
  const quick = await startTestApp({ roomTimes: { comment: 40 } })
  const quickOrigin = await quick.app.listen({ port: 0, host: '127.0.0.1' })
  const { sseUrl } = (await requestStream(quick, await buildHost(quick))).body
  const answer = await fetch(quickOrigin + sseUrl)
  let text = ''
  for await (const chunk of answer.body ?? []) {
    text += Buffer.from(chunk).toString()
    if (text.split(': still here\n\n').length > 3) break
  }
  expect(text).toMatch(/^event: test\n|\nevent: test\n/)
  expect(ROOM_TIMES.comment).toBe(15_000)
  await quick.close()
})

test('closed streams leave nothing behind', async () => {
  const sessions = await Promise.all(Array.from({ length: 10 }, () => openSession(server, host.id)))
  for (let round = 0; round < 20; round++) {
    const streams = await Promise.all(sessions.map((token) => streamFor({ token })))
    for (const stream of streams) stream.close()
    await Promise.all(streams.map((stream) => stream.ended))
  }
  await streamFor(host)
  await expect.poll(() => server.deps.streams.count).toBe(1)
  await expect.poll(() => queryObjects(EventStream)).toBe(1) // after a garbage collection
})

test('logging out, stopping and switching a user send the phone the reason and end its stream', async () => {
  for (const [action, reason] of [
    ['logout', 'logout'],
    ['deactivate', 'deactivated'],
    ['switch', 'phone_changed'],
    ['delete', 'deleted'],
  ] as const) {
    const user = await buildRoomUser(server, host)
    const stream = await streamFor(await buildPhone(server, host, user))
    const answer = await act(user.id, action)
    expect(answer.body.data).toEqual({ targeted: 1, reachable: 1 })
    expect(await stream.next('user-deactivated')).toMatchObject({ data: { user_id: user.id, reason } })
    await stream.ended
  }
})

test('a phone that signs in again ends the stream of its former session alone, which says so', async () => {
  const user = await buildRoomUser(server, host)
  const phone = await buildPhone(server, host, user)
  const former = await streamFor(phone)
  await former.next('user-mute-status')
  const { id } = former.received.at(-1) ?? { id: '' }
  const again = await phoneLogin(server, host, user, phone.device_id)
  expect(await former.next('user-deactivated')).toMatchObject({
    id: '',
    data: { user_id: user.id, reason: 'signed_in_elsewhere' },
  })
  await former.ended
  expect((await status(phone)).body).toMatchObject({ code: 'not_signed_in', reason: 'signed_in_elsewhere' })
  const present = await streamFor({ ...phone, token: again.body.data.token }, id)
  await call(server, 'POST', '/host/trigger-bulk-mute/mute', { as: host })
  await present.next('host-mute-all', { active: true })
  expect(present.received.map(({ name }) => name)).not.toContain('user-deactivated')
})

test.each([
  ['another password', () => ({ password: 'another lamp' }), 'password_changed'],
  ['a stop of the room', () => null, 'stopped'],
])('after %s a phone that missed the event learns the reason from its next call', async (_, edit, reason) => {
  const user = await buildRoomUser(server, host)
  const phone = await buildPhone(server, host, user)
  const stream = await streamFor(phone)
  const { user_id, username } = user
  const body = edit() && { user_id, username, ...edit() }
  const path = body ? `/host/users/${user.id}` : '/host/profile/stop'
  expect((await call(server, body ? 'PUT' : 'POST', path, { as: host, ...(body && { body }) })).status).toBe(200)
  expect(await stream.next('user-deactivated')).toMatchObject({ data: { user_id: user.id, reason } })
  expect(await status(phone)).toMatchObject({ status: 401, body: { reason } })
})

test('a stream ends with its session, and its address stops working', async () => {
  const url = await address(host)
  const stream = await openStream(url)
  await stream.next('test')
  await call(server, 'POST', '/auth/host/logout', { as: host })
  await stream.ended
  expect((await fetch(url)).status).toBe(401)
})

test('refuses an unknown address, and a page of another site', async () => {
  expect((await fetch(`${origin}/api/mobile/events/made-up`)).status).toBe(401)
  const url = await address(host)
  expect((await fetch(url, { headers: { origin: 'https://evil.example' } })).status).toBe(403)
})

test('disconnects a reader that does not read, without delaying others', async () => {
  const user = await buildRoomUser(server, host)
  const phone = await buildPhone(server, host, user)
  const url = new URL(await address(host))
  const socket = connect(Number(url.port), url.hostname)
  await once(socket, 'connect')
  socket.write(`GET ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`)
  await once(socket, 'readable')
  socket.pause()

  const reader = await streamFor(host)
  const before = server.deps.streams.count
  const room = await server.deps.rooms.get(host.id)
  const closed = once(socket, 'close')
  socket.on('error', () => {})
  for (let round = 0; round < 60_000 && server.deps.streams.count === before; round++) {
    const mute = { type: 'mute' as const, ids: [user.id], is_muted: round % 2 === 0, by: 'host' }
    await room.commands.commit(room.changeNumber + 1, [mute])
    if (round % 200 === 0) await new Promise(setImmediate)
  }
  expect(server.deps.streams.count).toBe(before - 1)
  socket.resume()
  await closed
  await status(phone, { wants_to_speak: true })
  await reader.next('user-speaker-toggle', { wants_to_speak: true })
})
