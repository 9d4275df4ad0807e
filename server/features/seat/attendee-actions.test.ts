import { beforeEach, describe, expect, test } from 'vitest'
import type { RoomUser } from '../../../shared/room-users.ts'
import { type Attendee, AttendeesAnswer } from '../../../shared/seat.ts'
import {
  buildAssistant,
  buildMaster,
  buildPhone,
  buildRoomUser,
  call,
  readAudit,
  requestStream,
  type SignedIn,
  type TestHost,
  type TestPhone,
} from '../../../test/factories/accounts.ts'
import { readAttendance } from '../../../test/factories/attendance.ts'
import { seen, TestSeat } from '../../../test/factories/seat.ts'
import { openStream } from '../../../test/servers/stream.ts'
import { buildZoomHost, setupWithZoom } from '../../../test/zoom/emulated-zoom.ts'

let now = Date.parse('2026-11-21T10:00:00Z')
const server = await setupWithZoom({ now: () => now })
const origin = await server.app.listen({ port: 0, host: '127.0.0.1' })

let host: TestHost
let seat: TestSeat
beforeEach(async () => {
  now += 3_600_000
  host = await buildZoomHost(server)
  seat = new TestSeat(server, host)
})

const streamOf = async (as: SignedIn) => openStream(origin + (await requestStream(server, host, as)).body.sseUrl)
const act = (action: string, { key = 'key-Lee', as = host }: { key?: string; as?: SignedIn } = {}) =>
  call(server, 'POST', `/host/attendees/${encodeURIComponent(key)}/${action}`, { as })
const list = async (): Promise<Attendee[]> =>
  AttendeesAnswer.parse((await call(server, 'GET', '/host/attendees', { as: host })).body).data.attendees
const commands = async () => (await seat.report()).body.data.commands
const muteAll = (body: object = {}, what = 'mute') =>
  call(server, 'POST', `/host/trigger-bulk-mute/${what}`, { as: host, body })
const audited = async () => {
  const { entries } = await readAudit(server, await buildMaster(server), `host_id=${host.id}`)
  return entries.filter(({ action }: { action: string }) => action.startsWith('attendee'))
}

describe('without a seat', () => {
  test('nothing can be done in Zoom', async () => {
    for (const action of ['mute', 'allow', 'remove'])
      expect(await act(action)).toMatchObject({ status: 409, body: { code: 'no_seat' } })
    await seat.take()
    expect(await act('mute')).toMatchObject({ status: 409, body: { code: 'no_seat' } }) // it has not joined yet
    expect((await muteAll()).body.data.in_zoom).toBeNull()
    expect((await muteAll({}, 'unmute')).body.data).not.toHaveProperty('in_zoom')
  })

  test('nor with a seat that has no powers', async () => {
    await seat.take()
    await seat.report({ full: true, attendees: [seen('Lee')], state: { powers: 'none' } })
    expect(await act('mute')).toMatchObject({ status: 409, body: { code: 'no_power' } })
    expect((await muteAll()).body.data.in_zoom).toBeNull()
    expect(await commands()).toEqual([])
  })
})

describe('POST /host/attendees/:key/:action', () => {
  beforeEach(async () => {
    await seat.take()
    await seat.report({ full: true, attendees: [seen('Lee'), seen('Kim')] })
  })

  test('gives the seat a command, until its outcome is known', async () => {
    const console = await streamOf(host)
    const { status, body } = await act('mute')
    expect(status).toBe(202)
    const command = { seat_id: seat.seat_id, id: body.data.command_id, do: 'mute', key: 'key-Lee', user_id: 16_778_240 }
    expect((await console.next('seat-command')).data).toEqual(command)
    expect((await act('mute')).body.data.command_id).toBe(body.data.command_id) // not twice
    expect(await commands()).toEqual([command])
    expect(await commands()).toEqual([command])
    const done = [{ id: body.data.command_id, outcome: 'dropped-by-zoom' as const }]
    expect((await seat.report({ done })).body.data.commands).toEqual([])
    expect((await console.next('command-settled')).data).toEqual({ ...done[0], by: 'seat' })
    expect((await seat.report({ done })).status).toBe(200)
    expect((await act('mute')).body.data.command_id).not.toBe(body.data.command_id)
    expect(await audited()).toMatchObject(
      Array(3).fill({ action: 'attendee_mute', after: { name: 'Lee' }, target: null }),
    )
  })

  test('of holding and admitting the same person the last one counts', async () => {
    const console = await streamOf(host)
    const ids: string[] = []
    for (const action of ['hold', 'admit', 'hold', 'hold'] as const) ids.push((await act(action)).body.data.command_id)
    await act('admit', { key: 'key-Kim' })
    expect(await commands()).toMatchObject([
      { do: 'hold', id: ids[2], key: 'key-Lee' },
      { do: 'admit', key: 'key-Kim' },
    ])
    expect(ids[3]).toBe(ids[2])
    await console.next('command-settled', { id: ids[0], outcome: 'refused' })
    await console.next('command-settled', { id: ids[1], outcome: 'refused' })
  })

  test('a command without an outcome has failed after ten seconds', async () => {
    const console = await streamOf(host)
    const { body } = await act('remove')
    now += 9_000
    await seat.report()
    await server.deps.rooms.sweep()
    expect(await commands()).toHaveLength(1)
    now += 1_000
    await server.deps.rooms.sweep()
    const outcome = { id: body.data.command_id, outcome: 'timeout', by: 'seat' }
    expect((await console.next('command-settled')).data).toEqual(outcome)
    expect(await commands()).toEqual([])
  })

  test('commands fail with the seat', async () => {
    const console = await streamOf(host)
    const { body } = await act('hold')
    await seat.release()
    await console.next('command-settled', { id: body.data.command_id, outcome: 'timeout' })
  })

  test('whom the host lets speak may speak until the next Mute All', async () => {
    const console = await streamOf(host)
    const allowed = async () => (await list()).map(({ is_allowed }) => is_allowed)
    const { body } = await act('allow')
    await console.next('command-settled', { id: body.data.command_id, outcome: 'done' })
    expect(await allowed()).toEqual([true, false])
    expect((await act('ask-unmute', { key: 'key-Kim' })).status).toBe(202)
    expect(await allowed()).toEqual([true, true])
    await act('mute')
    expect(await allowed()).toEqual([false, true])
    await muteAll()
    expect(await allowed()).toEqual([false, false])
  })

  test('a moderator mutes and lowers hands, and a manager does all', async () => {
    const [moderator, manager] = [
      await buildAssistant(server, host, 'moderator'),
      await buildAssistant(server, host, 'manager'),
    ]
    const statuses = async (as: SignedIn) => {
      const all = []
      for (const action of ['mute', 'ask-unmute', 'allow', 'lower-hand', 'remove', 'hold', 'admit'])
        all.push((await act(action, { as })).status)
      return all
    }
    expect(await statuses(moderator)).toEqual([202, 202, 202, 202, 403, 403, 403])
    now += 10_000
    expect(await statuses(manager)).toEqual(Array(7).fill(202))
    for (const [as, status] of [
      [moderator, 403],
      [manager, 202],
    ] as const)
      expect((await call(server, 'POST', '/host/attendees/admit-all', { as })).status).toBe(status)
  })

  test('does nothing to the seat itself', async () => {
    await seat.report({ attendees: [seen('Seat', { is_self: true })] })
    for (const action of ['remove', 'hold', 'mute']) expect((await act(action, { key: 'key-Seat' })).status).toBe(404)
    expect(await commands()).toEqual([])
  })

  test('knows neither other actions nor anybody who is not there', async () => {
    expect((await act('mute', { key: 'nobody' })).status).toBe(404)
    expect((await act('sing')).status).toBe(422)
    const other = await buildZoomHost(server)
    expect((await act('mute', { as: other })).status).toBe(409)
  })

  test('is refused beyond ten a second', async () => {
    const statuses: number[] = []
    for (let one = 0; one < 22; one++) statuses.push((await act('mute')).status)
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(202))
    expect(statuses.slice(20)).toEqual([429, 429])
  })
})

describe('POST /host/attendees/ask-unmute-all', () => {
  const askAll = (as: SignedIn = host) => call(server, 'POST', '/host/attendees/ask-unmute-all', { as })

  test('needs a seat with powers', async () => {
    expect(await askAll()).toMatchObject({ status: 409, body: { code: 'no_seat' } })
    await seat.take()
    await seat.report({ full: true, attendees: [seen('Lee')], state: { powers: 'none' } })
    expect(await askAll()).toMatchObject({ status: 409, body: { code: 'no_power' } })
  })

  test('gives the seat one order, and lets nobody speak under a later Mute All', async () => {
    await seat.take()
    await seat.report({ full: true, attendees: [seen('Lee', { muted: true })] })
    const console = await streamOf(host)
    const { status, body } = await askAll()
    expect(status).toBe(202)
    expect((await console.next('seat-command')).data).toEqual({
      ...{ seat_id: seat.seat_id, id: body.data.command_id, do: 'ask-all' },
    })
    expect((await askAll(await buildAssistant(server, host, 'manager'))).body.data).toEqual(body.data)
    expect(await commands()).toHaveLength(1)
    await seat.report({ done: [{ id: body.data.command_id, outcome: 'done' }] })
    await console.next('command-settled', { id: body.data.command_id, outcome: 'done' })
    expect(await list()).toMatchObject([{ is_allowed: false }])
    expect(await audited()).toMatchObject(Array(2).fill({ action: 'attendee_ask-unmute-all', target: null }))
  })

  test('is refused while Mute All holds in Zoom', async () => {
    await seat.take()
    await seat.report({ full: true, attendees: [seen('Lee', { muted: true })] })
    await muteAll({ lock: true })
    expect(await askAll()).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(await commands()).toEqual([])
    await muteAll({ lock: false })
    expect((await askAll()).status).toBe(202)
  })

  test('is no right of a moderator, a phone or another host', async () => {
    await seat.take()
    await seat.report({ full: true, attendees: [seen('Lee')] })
    expect((await askAll(await buildAssistant(server, host, 'moderator'))).status).toBe(403)
    expect((await askAll(await buildPhone(server, host, await buildRoomUser(server, host)))).status).toBe(403)
    expect((await askAll(await buildZoomHost(server))).body.code).toBe('no_seat')
    expect(await commands()).toEqual([])
  })

  test('is limited with the other acts', async () => {
    await seat.take()
    await seat.report({ full: true, attendees: [seen('Lee')] })
    const statuses: number[] = []
    for (let one = 0; one < 21; one++) statuses.push((await askAll()).status)
    expect(statuses).toEqual([...Array(20).fill(202), 429])
  })

  test('is not kept from the host by assistants', async () => {
    await seat.take()
    await seat.report({ full: true, attendees: [seen('Lee')] })
    const moderator = await buildAssistant(server, host, 'moderator')
    for (let one = 0; one < 21; one++) await act('mute', { as: moderator })
    expect([(await act('mute', { as: moderator })).status, (await act('remove')).status]).toEqual([429, 202])
  })
})

describe('a user on the phone app', () => {
  let phone: TestPhone
  const own = (fields: object = {}) => seen('Maria', { key: 'key-Maria', customer_key: phone.id, ...fields })
  const mute = () => call(server, 'POST', `/host/users/${phone.id}/mute`, { as: host })
  beforeEach(async () => {
    phone = await buildPhone(server, host, await buildRoomUser(server, host))
    await call(server, 'POST', '/mobile/status', { as: phone, body: { speaker_on: true } })
    await seat.take()
    await seat.report({ full: true, attendees: [own()] })
  })

  test('is recognised by its key', async () => {
    expect(await list()).toMatchObject([{ user_id: phone.id, by: 'key', is_allowed: true }])
  })

  test('is muted by the seat if Zoom still shows its microphone open', async () => {
    const console = await streamOf(host)
    await mute()
    const { data } = await console.next('seat-command', { do: 'mute', key: 'key-Maria' })
    await seat.report({ attendees: [own({ muted: true })], done: [{ id: String(data.id), outcome: 'done' }] })
    await console.next('command-settled', { id: data.id, outcome: 'done' })
    await console.next('command-settled', { by: 'seat' }) // of the host's own act
    await console.next('commands-acknowledged')
    const { body } = await call(server, 'GET', '/host/online-users', { as: host })
    expect(body.data.users[0]).toMatchObject({ is_muted: true, pending_command: null })
  })

  test.for([
    ['as it is', (id: string) => id],
    ['without dashes', (id: string) => id.replaceAll('-', '')],
    ['in capitals', (id: string) => id.toUpperCase()],
  ] as const)('is not settled by somebody else with its key, written %s', async ([, write]) => {
    const pending = async () =>
      (await call(server, 'GET', `/host/users/${phone.id}`, { as: host })).body.data.user.pending_command
    const another = own({ key: 'another', zoom_user_id: 9, customer_key: write(phone.id), muted: true })
    await seat.report({ attendees: [another] })
    await mute()
    await seat.report({ attendees: [{ ...another, hand: true }] })
    expect(await pending()).toMatchObject({ type: 'mute' })
    await seat.report({ attendees: [own({ muted: true })] })
    expect(await pending()).toBeNull()
  })

  test('that many attendees claim to be does not keep the host from muting somebody else', async () => {
    const many = Array.from({ length: 30 }, (_, at) => own({ key: `claims-${at}`, zoom_user_id: 100 + at }))
    await seat.report({ full: true, attendees: [...many, seen('Lee')] })
    const console = await streamOf(host)
    const next = async () => String((await console.next('seat-command', { do: 'mute' })).data.key)
    await mute()
    const first = [await next(), await next(), await next()]
    await act('mute')
    expect(await next()).toBe('key-Lee')
    const failed = (await commands()).map(({ id }: { id: string }) => ({ id, outcome: 'timeout' }))
    await seat.report({ done: failed })
    for (const key of [await next(), await next(), await next()]) expect(first).not.toContain(key)
  })

  test('whose phone has obeyed is settled by the phone, and not muted twice', async () => {
    const [console, heard] = [await streamOf(host), await streamOf(phone)]
    await mute()
    const { id } = await heard.next('user-mute-status', { is_muted: true })
    await call(server, 'POST', '/mobile/status', { as: phone, body: { acks: [id] } })
    await console.next('command-settled', { id, outcome: 'done', by: 'phone' })
    await seat.report({ attendees: [own({ muted: true })] })
    expect(await commands()).toEqual([])
  })

  test('gives no right to somebody else with its key, or with its key alone', async () => {
    const rights = async () => (await list()).map(({ is_allowed }: { is_allowed: boolean }) => is_allowed)
    await call(server, 'POST', `/host/users/${phone.id}/unmute`, { as: host })
    expect(await rights()).toEqual([true])
    await seat.report({ attendees: [own({ key: 'another', zoom_user_id: 9 })] })
    expect(await rights()).toEqual([false, false])
    await seat.report({ left: ['another'] })
    await call(server, 'POST', '/mobile/status', { as: phone, body: { audio: 'off' } })
    expect(await rights()).toEqual([false]) // its own phone is not in the meeting
    await call(server, 'POST', '/mobile/status', { as: phone, body: { audio: 'on' } })
    expect(await rights()).toEqual([true])
  })

  test('a command waits for its turn before its time begins', async () => {
    const people = Array.from({ length: 4 }, (_, at) => seen(`Guest ${at}`))
    await seat.report({ attendees: people })
    for (const { key } of people) await act('remove', { key })
    now += 15_000
    await seat.report()
    await server.deps.rooms.sweep()
    const keys = async () => (await commands()).map(({ key }: { key: string }) => key)
    expect(await keys()).toEqual(['key-Guest 1', 'key-Guest 2', 'key-Guest 3'])
    now += 6_000
    await server.deps.rooms.sweep()
    expect(await keys()).toEqual(['key-Guest 3'])
  })

  test('is excepted from Mute All with its attendee', async () => {
    await seat.report({ attendees: [seen('Lee')] })
    const { body } = await muteAll({ except: [phone.id] })
    expect(body.data.in_zoom).toBe(1)
    expect(await commands()).toMatchObject([{ do: 'mute', key: 'key-Lee' }])
    expect(await list()).toMatchObject([{ is_allowed: true }, { is_allowed: false }])
  })
})

describe('Mute All', () => {
  const many = (count: number) => Array.from({ length: count }, (_, at) => seen(`${at}`))
  const lock = async () => (await call(server, 'GET', '/host/attendees', { as: host })).body.data.seat.lock
  beforeEach(async () => {
    await seat.take()
  })

  test('mutes everybody in Zoom in one act where nobody is excepted', async () => {
    const attendees = [
      ...many(3),
      seen('muted', { muted: true }),
      seen('silent', { audio: '' }),
      seen('held', { is_hold: true }),
    ]
    await seat.report({ full: true, attendees })
    expect((await muteAll()).body.data.in_zoom).toBe(3)
    expect(await commands()).toMatchObject([{ do: 'mute-all' }])
  })

  test('mutes one by one where few are open and somebody may speak, the loudest first', async () => {
    await seat.report({ full: true, attendees: [...many(8), seen('Host', { is_host: true })], speaking: ['key-5'] })
    await muteAll()
    await seat.report({ done: (await commands()).map(({ id }: { id: string }) => ({ id, outcome: 'done' })) })
    await act('allow', { key: 'key-0' })
    const user = await buildRoomUser(server, host)
    await streamOf(await buildPhone(server, host, user))
    const except = [user.id]
    await call(server, 'POST', `/host/users/${except[0]}/unmute`, { as: host })
    const byKey = seen('Anita', { customer_key: except[0] ?? '' })
    await seat.report({ attendees: [byKey] })
    expect((await muteAll({ except })).body.data.in_zoom).toBe(8)
    const orders = await commands()
    expect(orders.map((one: { do: string }) => one.do)).toEqual(Array(8).fill('mute'))
    expect(orders[0].key).toBe('key-5')
    await seat.report({ done: orders.map(({ id }: { id: string }) => ({ id, outcome: 'done' })) })
    await seat.report({ attendees: many(9) })
    await muteAll({ except })
    expect((await commands()).map((one: { do: string }) => one.do)).toEqual(['mute-all'])
  })

  test('is taken back with what the seat has not done yet', async () => {
    await seat.report({ full: true, attendees: [seen('Gina'), seen('Gus')] })
    const orders = async () => (await commands()).map((one: { do: string }) => one.do)
    await muteAll()
    expect(await orders()).toEqual(['mute-all'])
    await muteAll({}, 'unmute')
    expect(await orders()).toEqual([])
    await act('mute', { key: 'key-Gina' })
    await act('ask-unmute', { key: 'key-Gina' })
    expect(await orders()).toEqual(['ask-unmute'])
    await act('mute', { key: 'key-Gina' })
    expect(await orders()).toEqual(['mute'])
    await muteAll({}, 'unmute')
    expect(await orders()).toEqual([])
  })

  test('does nothing in Zoom where nobody is open', async () => {
    await seat.report({ full: true, attendees: [seen('Lee', { muted: true })] })
    expect((await muteAll()).body.data.in_zoom).toBe(0)
    expect(await commands()).toEqual([])
  })

  test('holds in Zoom as the host chose last, and no longer than Mute All', async () => {
    const console = await streamOf(host)
    await seat.report()
    expect(await lock()).toBe(false)
    await muteAll()
    await console.next('seat', { lock: true })
    await muteAll({ lock: false })
    await console.next('seat', { lock: false })
    await muteAll({}, 'unmute')
    await muteAll()
    expect(await lock()).toBe(false)
    await server.deps.rooms.forget(host.id)
    await seat.report({ full: true })
    expect(await lock()).toBe(false)
    await muteAll({ lock: true })
    expect(await lock()).toBe(true)
    await server.deps.rooms.forget(host.id)
    await seat.report({ full: true })
    expect(await lock()).toBe(true)
    await muteAll({}, 'unmute')
    expect(await lock()).toBe(false)
    expect(await commands()).toEqual([])
  })

  test('tells consoles that nobody may speak any more before that it holds', async () => {
    const user = await buildRoomUser(server, host)
    await call(server, 'POST', `/host/users/${user.id}/unmute`, { as: host })
    const { received, next } = await streamOf(host)
    await seat.report({ full: true, attendees: [seen('Anita', { customer_key: user.id })] })
    await next('attendees')
    await muteAll()
    await next('seat', { lock: true })
    const before = received.slice(
      0,
      received.findIndex(({ data }) => data.lock === true),
    )
    const lists = before.filter(({ name }) => name === 'attendees')
    expect(lists.at(-1)?.data.changed).toMatchObject([{ name: 'Anita', is_allowed: false }])
  })

  test.each(['yes', 1])('refuses %j as a lock', async (wrong) => {
    expect((await muteAll({ lock: wrong })).status).toBe(422)
  })
})

describe('PUT /host/attendees/:key/user', () => {
  const link = (user_id: string | null, { remember = false, key = 'key-Lee', as = host as SignedIn } = {}) =>
    call(server, 'PUT', `/host/attendees/${key}/user`, { as, body: { user_id, remember } })
  let user: RoomUser
  beforeEach(async () => {
    user = await buildRoomUser(server, host, { username: 'Lee' })
    await seat.take()
    await seat.report({ full: true, attendees: [seen('Lee')] })
  })

  test('suggests the one user of this name who is not in by key', async () => {
    expect(await list()).toMatchObject([{ user_id: null, by: null, suggestion: user.id }])
    await seat.report({ attendees: [seen('Lee', { key: 'key-app', customer_key: user.id })] })
    expect(await list()).toMatchObject([{ suggestion: null }, { user_id: user.id, by: 'key', suggestion: null }])
  })

  test('holds for this sitting', async () => {
    expect((await link(user.id)).status).toBe(200)
    expect(await list()).toMatchObject([{ user_id: user.id, by: 'name', suggestion: null, is_allowed: false }])
    await seat.report({ full: true, attendees: [seen('Lee', { hand: true })] })
    expect(await list()).toMatchObject([{ user_id: user.id, hand: true }])
    await seat.report({ left: ['key-Lee'], attendees: [seen('lee', { key: 'other' })] })
    expect(await list()).toMatchObject([{ user_id: null, suggestion: user.id }])
    expect(await audited()).toMatchObject([
      { action: 'attendee_linked', target: { id: user.id }, after: { name: 'Lee' } },
    ])
  })

  test('lets speaking in Zoom count, unless the phone of the user reports it', async () => {
    const speakers = async () => (await readAttendance(server, host)).speakers
    await link(user.id)
    await seat.report({ attendees: [seen('Mia')], speaking: ['key-Mia', 'key-Lee'] })
    now += 4_000
    await seat.report({ speaking: [] })
    now += 5_000
    await seat.report({ speaking: ['key-Lee'] }) // after a pause
    now += 2_000
    await seat.report({ speaking: ['key-Mia'] })
    now += 5_001
    await seat.report({ speaking: ['key-Lee'] }) // another speech
    now += 3_000
    await seat.release()
    const times = { id: user.id, username: 'Lee', spoke_seconds: 11 + 3 }
    expect(await speakers()).toMatchObject([times])

    await seat.take()
    await seat.report({ full: true, attendees: [seen('Lee')] })
    await link(user.id)
    await buildPhone(server, host, user)
    await seat.report({ speaking: ['key-Lee'] })
    now += 9_000
    await seat.report({ speaking: [] })
    expect(await speakers()).toMatchObject([times])
  })

  test('is remembered by name until it is taken back', async () => {
    await link(user.id, { remember: true })
    await seat.report({ left: ['key-Lee'], attendees: [seen(' LEE ', { key: 'other' })] })
    expect(await list()).toMatchObject([{ user_id: user.id, by: 'name', is_allowed: false }])
    await server.deps.rooms.forget(host.id)
    await seat.report({ full: true, attendees: [seen('Lee')] })
    expect(await list()).toMatchObject([{ user_id: user.id, by: 'name' }])
    expect((await link(null)).status).toBe(200)
    expect(await list()).toMatchObject([{ user_id: null }])
    await server.deps.rooms.forget(host.id)
    await seat.report({ full: true, attendees: [seen('Lee')] })
    expect(await list()).toMatchObject([{ user_id: null, suggestion: user.id }])
  })

  test('knows only users of the room and attendees without a key', async () => {
    const other = await buildZoomHost(server)
    const theirs = await buildRoomUser(server, other)
    for (const id of [theirs.id, host.id, 'nobody']) expect((await link(id)).status).toBe(404)
    expect((await link(user.id, { key: 'nobody' })).status).toBe(404)
    expect((await link(user.id, { as: other })).status).toBe(404)
    expect((await link(user.id, { as: await buildAssistant(server, host, 'moderator') })).status).toBe(403)
    await seat.report({ attendees: [seen('Lee', { customer_key: 'claimed' })] })
    expect((await link(user.id)).status).toBe(409)
    expect((await call(server, 'PUT', '/host/attendees/key-Lee/user', { as: host, body: {} })).status).toBe(422)
  })

  test('lists the names of a user, and forgets them one by one', async () => {
    const path = `/host/users/${user.id}/zoom-names`
    const manager = await buildAssistant(server, host, 'manager')
    const names = async (as: SignedIn = host) => (await call(server, 'GET', path, { as })).body.data.names
    expect(await names()).toEqual([])
    await seat.report({ attendees: [seen('Lee W.', { key: 'other' })] })
    for (const key of ['key-Lee', 'other']) await link(user.id, { remember: true, key })
    expect(await names(manager)).toEqual(['lee', 'lee w.'])
    await seat.report({ left: ['key-Lee', 'other'], attendees: [seen('Lee', { key: 'new' })] })
    expect(await list()).toMatchObject([{ user_id: user.id, by: 'name' }])
    const forget = (as: SignedIn, name = 'lee') => call(server, 'DELETE', path, { as, body: { name } })
    expect((await forget(manager)).status).toBe(200)
    expect((await forget(host)).status).toBe(200) // pressed by two
    expect(await names()).toEqual(['lee w.'])
    expect(await list()).toMatchObject([{ user_id: null, suggestion: user.id }])
    const forgotten = { action: 'attendee_name_forgotten', target: { id: user.id }, after: { name: 'lee' } }
    expect((await audited()).filter(({ action }: { action: string }) => /forgotten/.test(action))).toMatchObject([
      forgotten,
    ])
    await server.deps.rooms.forget(host.id)
    await seat.report({ full: true, attendees: [seen('Lee')] })
    expect(await list()).toMatchObject([{ user_id: null }])
  })

  test('the names of a user are the business of its host and managers alone', async () => {
    await link(user.id, { remember: true })
    const path = `/host/users/${user.id}/zoom-names`
    const other = await buildZoomHost(server)
    const phone = await buildPhone(server, host, await buildRoomUser(server, host))
    for (const [as, status] of [
      [other, 404],
      [await buildAssistant(server, host, 'moderator'), 403],
      [phone, 403],
    ] as const) {
      expect((await call(server, 'GET', path, { as })).status).toBe(status)
      expect((await call(server, 'DELETE', path, { as, body: { name: 'lee' } })).status).toBe(status)
    }
    for (const id of ['nobody', host.id]) {
      expect((await call(server, 'GET', `/host/users/${id}/zoom-names`, { as: host })).status).toBe(404)
      const body = { name: 'lee' }
      expect((await call(server, 'DELETE', `/host/users/${id}/zoom-names`, { as: host, body })).status).toBe(404)
    }
    for (const body of [{}, { name: '' }, { name: 7 }, { name: 'l'.repeat(1_025) }])
      expect((await call(server, 'DELETE', path, { as: host, body })).status).toBe(422)
    const theirs = await buildRoomUser(server, host)
    await call(server, 'DELETE', `/host/users/${theirs.id}/zoom-names`, { as: host, body: { name: 'lee' } })
    expect((await call(server, 'GET', path, { as: host })).body.data.names).toEqual(['lee'])
  })

  test('remembers no name that could not be forgotten, or that nobody can see', async () => {
    const marks = Array.from({ length: 57 }, (_, at) => String.fromCodePoint(0x1dc0 + at))
    const long = Array.from({ length: 64 }, (_, at) => {
      const letter = String.fromCodePoint(0x4e00 + 97 * at)
      return letter + Array.from({ length: 15 }, (_, mark) => marks[(at * at + mark * (at + 7)) % 57]).join('')
    }).join('')
    for (const name of ['', ' \u200b\u0001', '\ufdfa'.repeat(64), long]) {
      await seat.report({ attendees: [seen(name, { key: 'odd' })] })
      const remembered = await link(user.id, { remember: true, key: 'odd' })
      expect(remembered).toMatchObject({ status: 409, body: { code: 'conflict' } })
      expect((await link(user.id, { key: 'odd' })).status).toBe(200) // for this sitting
      await seat.report({ left: ['odd'] })
    }
    const path = `/host/users/${user.id}/zoom-names`
    expect((await call(server, 'GET', path, { as: host })).body.data.names).toEqual([])
    await seat.report({ attendees: [seen('\ufdfa'.repeat(50), { key: 'odd' })] })
    expect((await link(user.id, { remember: true, key: 'odd' })).status).toBe(200)
    const [name] = (await call(server, 'GET', path, { as: host })).body.data.names
    expect((await call(server, 'DELETE', path, { as: host, body: { name } })).status).toBe(200)
  })

  test('takes sixty names a minute', async () => {
    const statuses: number[] = []
    for (let time = 0; time < 61; time++) statuses.push((await link(user.id)).status)
    expect(statuses).toEqual([...Array(60).fill(200), 429])
  })

  test('remembers 500 names at most', async () => {
    const { room_id } = (await call(server, 'GET', '/host/details', { as: host })).body
    const created_at = new Date(now)
    const names = Array.from({ length: 500 }, (_, at) => ({ folded_name: `name ${at}`, room_user_id: user.id }))
    const links = names.map((one) => ({ ...one, room_id, created_at }))
    await server.deps.db.insertInto('attendee_links').values(links).execute()
    expect(await link(user.id, { remember: true })).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect((await link(user.id)).status).toBe(200)
  })
})
