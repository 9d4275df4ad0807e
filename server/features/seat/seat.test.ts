import { Writable } from 'node:stream'
import { jwtVerify } from 'jose'
import { beforeEach, describe, expect, test } from 'vitest'
import type { AuditEntry } from '../../../shared/audit.ts'
import { AttendeesAnswer, SeatTicket } from '../../../shared/seat.ts'
import {
  buildAssistant,
  buildHost,
  buildMaster,
  buildPhone,
  buildRoomUser,
  call,
  openSession,
  PASSWORD,
  readAudit,
  requestStream,
  type SignedIn,
  type TestHost,
} from '../../../test/factories/accounts.ts'
import { SEAT_STATE, seen, TestSeat } from '../../../test/factories/seat.ts'
import { statementsOf } from '../../../test/servers/statements.ts'
import { openStream } from '../../../test/servers/stream.ts'
import { buildZoomHost, setupWithZoom } from '../../../test/zoom/emulated-zoom.ts'
import { receiveWebhooks, webhooksProcessed, webhookUrl, zoomIdsOf } from '../../../test/zoom/webhooks.ts'
import { createLogger } from '../../lib/logger.ts'
import { findHostPresence } from '../rooms/host-presence.ts'

let now = Date.parse('2026-11-21T10:00:00Z')
let appAccount: string | undefined
let isOn = true
const lines: string[] = []
const log = createLogger(
  'trace',
  new Writable({
    write: (line, _encoding, done) => {
      lines.push(String(line))
      done()
    },
  }),
)

const server = await setupWithZoom({
  now: () => now,
  log,
  config: { ZOOM_SDK_KEY: 'sdk-key', ZOOM_SDK_SECRET: 'sdk-secret' },
  sdk: { sdkKey: 'sdk-key', sdkSecret: 'sdk-secret' },
})
Object.defineProperty(server.deps.config, 'ZOOM_APP_ACCOUNT_ID', { get: () => appAccount })
Object.defineProperty(server.deps.config, 'HOST_SEAT', { get: () => isOn })
const { origin } = new URL(await webhookUrl(server))

let host: TestHost
let room: { room_id: string; host_id: string }
let seat: TestSeat
beforeEach(async () => {
  isOn = true
  now += 3_600_000
  lines.length = 0
  host = await buildZoomHost(server)
  appAccount = (await zoomIdsOf(server, host)).account_id
  seat = new TestSeat(server, host)
  room = { room_id: (await call(server, 'GET', '/host/details', { as: host })).body.room_id, host_id: host.id }
})

const streamOf = async (as: SignedIn) => openStream(origin + (await requestStream(server, host, as)).body.sseUrl)
const otherConsole = async () => new TestSeat(server, { token: await openSession(server, host.id) })
const attendees = async (as: SignedIn = host) =>
  AttendeesAnswer.parse((await call(server, 'GET', '/host/attendees', { as })).body).data
const auditedOf = async () => {
  const { entries } = await readAudit(server, await buildMaster(server), `host_id=${host.id}`)
  return entries.map(({ action }: { action: string }) => action).filter((action: string) => /seat/.test(action))
}
const guardedOf = async ({ id }: TestHost) => {
  const { entries } = await readAudit(server, await buildMaster(server), `host_id=${id}&action=attendee_guarded`)
  return entries.map(({ after, times, actor }: AuditEntry) => ({ name: after?.name, times, by: actor.role }))
}
const later = async (ms: number) => {
  now += ms
  await server.deps.rooms.sweep()
}

describe('POST /host/seat', () => {
  test("joins as the host with a key that is nobody's phone", async () => {
    const { status, headers, body } = await seat.take()
    expect(status).toBe(200)
    expect(headers['cache-control']).toBe('no-store')
    const ticket = SeatTicket.parse(body.data.ticket)
    expect(ticket).toMatchObject({ role: 1, user_name: host.username, zak: expect.any(String) })
    expect(ticket.customer_key).toMatch(/^seat-[0-9a-f]{30}$/)
    expect(Date.parse(ticket.expires_at) - now).toBe(300_000)
    const secret = new TextEncoder().encode('sdk-secret')
    const { payload } = await jwtVerify(ticket.signature, secret, { currentDate: new Date(now) })
    expect(payload).toMatchObject({ mn: String(host.rooms[0]?.zoom_meeting_id), role: 1 })
    expect(body.data.lease).toEqual({
      ...{ seat_id: seat.seat_id, epoch: 1 },
      expires_at: new Date(now + 15_000).toISOString(),
    })
    expect(await auditedOf()).toEqual(['seat_taken'])
  })

  test('joins as a guest without a token of the host', async () => {
    const { body } = await seat.take({ as: 'guest' })
    expect(body.data.ticket).toMatchObject({ role: 0, user_name: 'Parley' })
    expect(body.data.ticket.zak).toBeUndefined()
  })

  test('admits no guest to a meeting of another account', async () => {
    appAccount = 'another'
    expect(await seat.take({ as: 'guest' })).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect((await seat.take()).status).toBe(200)
  })

  test('tells another console who has the seat', async () => {
    await seat.take()
    const other = await otherConsole()
    const refused = { code: 'seat_taken', by: host.username, since: new Date(now).toISOString() }
    expect(await other.take()).toMatchObject({ status: 409, body: refused })
    expect((await call(server, 'GET', '/host/attendees', { as: host })).body.data.seat).toMatchObject({
      ...{ state: 'joining', seat_id: seat.seat_id, by: host.username, since: refused.since },
    })
    const copied = await call(server, 'POST', '/host/seat', {
      as: other.as,
      body: { seat_id: seat.seat_id, as: 'host' },
    })
    expect(copied.status).toBe(409)
  })

  test('gives the seat again to the console that has it, after a reload', async () => {
    await seat.take()
    await seat.report()
    expect((await seat.take()).body.data.lease.epoch).toBe(2)
    expect((await seat.report()).status).toBe(200)
  })

  test('a console that takes over joins once the other one has left', async () => {
    const stream = await streamOf(host)
    await seat.take()
    await seat.report()
    const other = await otherConsole()
    const taken = other.take({ take_over: true })
    await stream.next('seat-command', { seat_id: seat.seat_id, do: 'leave' })
    expect((await seat.report()).body.data.commands).toMatchObject([{ do: 'leave', seat_id: seat.seat_id }])
    expect((await seat.release()).status).toBe(200)
    expect((await taken).body.data.lease.epoch).toBe(2)
    expect(await seat.report()).toMatchObject({ status: 409, body: { code: 'seat_lost' } })
    expect((await auditedOf()).toSorted()).toEqual(['seat_released', 'seat_taken', 'seat_taken_over'])
  })

  test('a console that takes over waits three seconds for one that does not answer', async () => {
    await seat.take()
    const other = await otherConsole()
    expect((await other.take({ take_over: true })).status).toBe(200)
    expect(await seat.release()).toMatchObject({ status: 409, body: { code: 'seat_lost' } })
    expect((await other.report()).status).toBe(200)
  })

  test('of two consoles that take the seat together one gets it, in each of 50 races', async () => {
    const others = [await otherConsole(), await otherConsole()]
    for (let race = 0; race < 50; race++) {
      now += 61_000
      const answers = await Promise.all(others.map((one) => one.take({ as: 'guest' })))
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
      const reports = await Promise.all(others.map((one) => one.report()))
      expect(reports.map(({ status }) => status).toSorted()).toEqual([200, 409])
    }
  })

  test('is refused without Zoom, without leaving anybody without a seat', async () => {
    await seat.take()
    const other = await otherConsole()
    await server.control('/faults', { kind: 'status', status: 500, times: 0 })
    expect((await other.take({ take_over: true })).status).toBeGreaterThanOrEqual(500)
    expect((await seat.report()).status).toBe(200)
    const unconnected = new TestSeat(server, await buildHost(server))
    expect(await unconnected.take()).toMatchObject({ status: 409, body: { code: 'room_not_connected' } })
  })

  test('is taken six times a minute at most', async () => {
    for (let once = 0; once < 6; once++) expect((await seat.take({ as: 'guest' })).status).toBe(200)
    expect((await seat.take({ as: 'guest' })).status).toBe(429)
  })

  test('no secret of a ticket is logged, audited or repeated', async () => {
    const { body } = await seat.take()
    const { zak, signature, passcode } = SeatTicket.parse(body.data.ticket)
    await seat.report()
    const again = await call(server, 'POST', '/host/seat', {
      ...{ as: host, headers: { 'idempotency-key': 'one' } },
      body: { seat_id: seat.seat_id, as: 'host' },
    })
    expect(again.body.data.ticket.customer_key).not.toBe(body.data.ticket.customer_key)
    expect(await server.deps.db.selectFrom('idempotency_keys').selectAll().execute()).toEqual([])
    const audited = JSON.stringify(await server.deps.db.selectFrom('audit').selectAll().execute())
    for (const secret of [zak ?? '', signature, passcode]) {
      expect(secret.length).toBeGreaterThan(5)
      expect(audited).not.toContain(secret)
      expect(lines.join('')).not.toContain(secret)
      expect(JSON.stringify(await attendees())).not.toContain(secret)
    }
    log.warn({ ticket: { zak, signature, passcode } }, 'seat.test')
    expect(lines.at(-1)).toContain('"zak":"[Redacted]","signature":"[Redacted]","passcode":"[Redacted]"')
  })

  test('nothing of it answers while the seat is off', async () => {
    isOn = false
    for (const [method, path] of [
      ['POST', '/host/seat'],
      ['PUT', '/host/seat'],
      ['DELETE', '/host/seat'],
      ['GET', '/host/attendees'],
    ] as const)
      expect((await call(server, method, path, { as: host, body: {} })).status).toBe(404)
  })

  test.each([{ as: 'king' }, { seat_id: 7 }, { seat_id: 'seat' }, { take_over: 'yes' }, { silent: 1 }])(
    '%j is refused',
    async (wrong) => {
      expect((await seat.take(wrong)).status).toBe(422)
    },
  )
})

describe('PUT /host/seat', () => {
  beforeEach(async () => {
    await seat.take()
  })

  test('shows consoles who is in the meeting, and tells phones nothing', async () => {
    const phone = await buildPhone(server, host, await buildRoomUser(server, host))
    const [console, heard] = [await streamOf(await buildAssistant(server, host, 'moderator')), await streamOf(phone)]
    await seat.report({ full: true, attendees: [seen('Lee')] })
    const { data } = await console.next('attendees', { epoch: 1 })
    await console.next('seat', { state: 'in', powers: 'host' })
    expect(data).toMatchObject({ changed: [{ name: 'Lee', muted: false, user_id: null, is_allowed: false }], left: [] })
    expect(data).toEqual({ epoch: 1, changed: (await attendees()).attendees, left: [] })
    await seat.report({ speaking: ['key-Lee'] })
    await console.next('attendees-speaking')
    expect((await attendees()).speaking).toEqual(['key-Lee'])
    await seat.report({ attendees: [seen('Lee', { muted: true, hand: true })], speaking: [] })
    expect((await console.next('attendees')).data).toMatchObject({ changed: [{ muted: true, hand: true }] })
    await seat.report({ left: ['key-Lee'] })
    expect((await console.next('attendees')).data).toEqual({ epoch: 1, changed: [], left: ['key-Lee'] })
    await call(server, 'POST', `/host/users/${phone.id}/mute`, { as: host })
    await heard.next('user-mute-status')
    expect(heard.received.filter(({ name }) => /seat|attendee|settled/.test(name))).toEqual([])
    expect(
      console.received.filter(({ name, id }) => /seat|attendee/.test(name) && id !== '' && name !== 'seat'),
    ).toEqual([])
  })

  test('renews the lease', async () => {
    for (let one = 0; one < 10; one++) {
      await later(5_000)
      expect((await seat.report()).body.data.expires_at).toBe(new Date(now + 15_000).toISOString())
    }
  })

  test('a gap asks for the whole list, which may come in parts', async () => {
    await seat.report({ full: true, attendees: [seen('Lee'), seen('Kim')] })
    const joinedAt = (await attendees()).attendees[0]?.joined_at
    now += 1_000
    const gap = { status: 409, body: { code: 'seat_out_of_step' } }
    expect(await seat.report({ seq: seat.seq + 1, left: ['key-Lee'] })).toMatchObject(gap)
    expect(await seat.report({ seq: seat.seq - 1, left: ['key-Lee'] })).toMatchObject(gap)
    expect((await attendees()).attendees.map(({ name }) => name)).toEqual(['Lee', 'Kim'])
    await seat.report({ seq: 7, full: true, attendees: [seen('Lee')] })
    await seat.report({ full: true, part: 1, attendees: [seen('Chan')] })
    const { attendees: list } = await attendees()
    expect(list.map(({ name }) => name)).toEqual(['Lee', 'Chan'])
    expect(list[0]?.joined_at).toBe(joinedAt)
    expect(list[1]?.joined_at).not.toBe(joinedAt)
  })

  test('whom the parts of a whole list have not named yet stay, with what the host has given them', async () => {
    await seat.report({ full: true, attendees: ['Lee', 'Kim', 'Chan'].map((name) => seen(name)) })
    await call(server, 'POST', '/host/attendees/key-Kim/allow', { as: host })
    const shown = async () => (await attendees()).attendees.map(({ name, is_allowed }) => `${name} ${is_allowed}`)
    const before = await shown()
    await seat.report({ full: true, more: true, attendees: [seen('Lee')] })
    expect(await shown()).toEqual(before)
    await seat.report({ full: true, part: 1, more: true, attendees: [seen('Kim')] })
    expect(await shown()).toEqual(before)
    await seat.report({ full: true, part: 2, attendees: [seen('Dora')] })
    expect(await shown()).toEqual(['Lee false', 'Kim true', 'Dora false'])
  })

  test('a whole list makes room for those it names', async () => {
    const list = (name: string) => Array.from({ length: 250 }, (_, at) => seen(`${name} ${at}`))
    for (let part = 0; part < 4; part++) {
      now += 1_000
      await seat.report({ full: true, part, more: part < 3, attendees: list(`before ${part}`) })
    }
    await seat.report({ full: true, more: true, attendees: list('after') })
    const during = (await attendees()).attendees
    expect([during.length, during.filter(({ name }) => name.startsWith('after')).length]).toEqual([1_000, 250])
    now += 1_000
    await seat.report({ full: true, part: 1, attendees: list('before 2') })
    expect((await attendees()).attendees).toHaveLength(500)
  })

  test('a thousand are listed, and the others counted', async () => {
    const many = Array.from({ length: 300 }, (_, at) => at)
    for (let part = 0; part < 4; part++) {
      now += 1_000
      const list = many.map((at) => seen(`${part} ${at}`))
      expect((await seat.report({ full: true, part, more: part < 3, attendees: list })).status).toBe(200)
    }
    const { attendees: list, others } = await attendees()
    expect([list.length, others]).toEqual([1_000, 200])
    await seat.report({ left: ['key-3 299'] })
    expect((await attendees()).others).toBe(199)
  })

  test('names are cut to what can be seen', async () => {
    await seat.report({
      full: true,
      attendees: [seen('L', { name: `\u202eLee${'\u0301'.repeat(300)}${'x'.repeat(200)}` })],
    })
    expect((await attendees()).attendees[0]?.name).toBe(`Lee${'x'.repeat(61)}`)
  })

  test('audits once how often each attendee was muted again, and nobody who is not there', async () => {
    await seat.take()
    await seat.report({ full: true, attendees: [seen('Gina'), seen('Gus')] })
    const guarded = (...pairs: [string, number][]) =>
      seat.report({ guarded: pairs.map(([name, times]) => ({ key: `key-${name}`, times })) })
    await guarded(['Gina', 1], ['Nobody', 3])
    await guarded(['Gina', 2], ['Gus', 1])
    await seat.report({ guarded: [{ key: 'key-Gina', times: 4 }], left: ['key-Gina'] })
    expect(await guardedOf(host)).toEqual([
      { name: 'Gus', times: 1, by: 'system' },
      { name: 'Gina', times: 7, by: 'system' },
    ])
  })

  test('audits 300 of them, however many a console reports', async () => {
    await seat.take()
    for (let part = 0; part < 4; part++) {
      const attendees = Array.from({ length: 100 }, (_, at) => seen(`Guest ${part * 100 + at}`))
      now += 1_000
      await seat.report({ full: part === 0, attendees })
      const reported = await seat.report({ guarded: attendees.map(({ key }) => ({ key, times: 1 })) })
      expect(reported.status).toBe(200)
    }
    const { count } = await server.deps.db
      .selectFrom('audit')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('action', '=', 'attendee_guarded')
      .where('host_id', '=', host.id)
      .executeTakeFirstOrThrow()
    expect(Number(count)).toBe(300)
  })

  test('counts a whole report by one transaction, and writes nothing beyond the limit', async () => {
    const guests = Array.from({ length: 200 }, (_, at) => seen(`Guest ${at}`))
    const guarded = guests.map(({ key }) => ({ key, times: 1 }))
    const [first, second] = [guarded.slice(0, 100), guarded.slice(100)]
    await seat.take()
    await seat.report({ full: true, attendees: guests })
    const counting = async (reported: typeof guarded) => {
      now += 1_000
      const statements = await statementsOf(server.deps.db, () => seat.report({ guarded: reported }))
      const counted = statements.filter((one) => /"(refused_sign_ins|audit)"/.test(one)) // others run in the background
      return counted.map((one) => one.split(' ', 3).join(' '))
    }
    const counted = ['select "key" from', 'insert into "refused_sign_ins"']
    expect(await counting(first)).toEqual([...counted, 'insert into "audit"'])
    expect(await counting([...first, ...first].slice(50, 150))).toEqual(counted)
    for (let round = 0; round < 2; round++) {
      now += 1_000
      const others = Array.from({ length: 100 }, (_, at) => seen(`Other ${round} ${at}`))
      await seat.report({ attendees: others })
      await seat.report({ guarded: others.map(({ key }) => ({ key, times: 1 })) })
    }
    expect(await counting(second)).toEqual(['select "key" from'])
  })

  test('counts an attendee twice who stands in a report twice', async () => {
    await seat.take()
    await seat.report({ full: true, attendees: [seen('Gina')] })
    const [one, two] = [1, 2].map((times) => ({ key: 'key-Gina', times }))
    for (let round = 0; round < 2; round++)
      expect((await seat.report({ guarded: [one, two].flatMap((each) => each ?? []) })).status).toBe(200)
    expect(await guardedOf(host)).toEqual([{ name: 'Gina', times: 6, by: 'system' }])
  })

  test('is refused from a console without the seat', async () => {
    const other = await otherConsole()
    const stolen = Object.assign(new TestSeat(server, other.as), { seat_id: seat.seat_id, epoch: seat.epoch })
    for (const one of [other, stolen, Object.assign(new TestSeat(server, await buildZoomHost(server)), stolen)])
      expect(await one.report({ full: true, attendees: [seen('Lee')] })).toMatchObject({ body: { code: 'seat_lost' } })
    expect((await attendees()).attendees).toEqual([])
    expect((await stolen.release()).status).toBe(409)
  })

  test('is refused when it is too fast or too large', async () => {
    const many = Array.from({ length: 301 }, (_, at) => seen(String(at)))
    expect((await seat.report({ full: true, attendees: many })).status).toBe(422)
    const sized = (bytes: number) => {
      const { seat_id, epoch } = seat
      const body = JSON.stringify({ seat_id, epoch, seq: 0, state: SEAT_STATE, full: true, attendees: [] })
      return body + ' '.repeat(bytes - body.length)
    }
    const send = async (bytes: number) => {
      const headers = { host: 'localhost', authorization: `Bearer ${host.token}`, 'content-type': 'application/json' }
      return server.app.inject({ method: 'PUT', url: '/api/host/seat', headers, payload: sized(bytes) })
    }
    expect((await send(131_072)).statusCode).toBe(200)
    seat.seq = 1
    expect((await send(131_073)).statusCode).toBe(413)
    now += 2_000
    const reports = async (count: number) => {
      const statuses: number[] = []
      for (let one = 0; one < count; one++) statuses.push((await seat.report()).status)
      return statuses
    }
    expect(await reports(11)).toEqual([...Array(10).fill(200), 429])
    now += 1_000
    expect(await reports(6)).toEqual([...Array(5).fill(200), 429])
  })

  test('is read 240 times a minute by a host', async () => {
    const read = async (as: SignedIn = host) => (await call(server, 'GET', '/host/attendees', { as })).status
    for (let time = 0; time < 240; time++) expect(await read()).toBe(200)
    const assistant = await buildAssistant(server, host, 'moderator')
    expect([await read(), await read(assistant)]).toEqual([429, 200])
  })

  test.each([
    { seq: -1 },
    { epoch: '1' },
    { attendees: [{ key: 'a' }] },
    { attendees: [{ ...seen('Lee'), muted: 'no' }] },
    { speaking: ['a', 'b', 'c', 'd'] },
    { done: [{ id: 'a', outcome: 'well' }] },
    { state: { connection: 'away' } },
  ])('%j is refused', async (wrong) => {
    expect((await seat.report(wrong as Parameters<typeof seat.report>[0])).status).toBe(422)
  })

  test('a seat that does not report is lost, and whom it saw is shown for a minute', async () => {
    const console = await streamOf(host)
    await seat.report({ full: true, attendees: [seen('Lee')] })
    await console.next('attendees')
    await later(14_000)
    expect((await attendees()).seat.state).toBe('in')
    await later(1_001)
    await console.next('seat', { state: 'lost', seat_id: null, by: host.username })
    expect(await auditedOf()).toContain('seat_lost')
    expect((await attendees()).attendees).toHaveLength(1)
    expect(await seat.report()).toMatchObject({ status: 409, body: { code: 'seat_lost' } })
    await later(59_000)
    expect((await attendees()).attendees).toHaveLength(1)
    await later(1_001)
    expect((await console.next('attendees')).data).toMatchObject({ changed: [], left: ['key-Lee'] })
    expect(await attendees()).toMatchObject({ seat: { state: 'off', by: null }, attendees: [] })
    now += 60_000
    expect((await seat.take()).status).toBe(200)
  })

  test('a seat that cannot reach Zoom for ten seconds is lost until it is back', async () => {
    await seat.report({ full: true, attendees: [seen('Lee')] })
    await seat.report({ state: { connection: 'reconnecting' } })
    expect((await attendees()).seat.state).toBe('reconnecting')
    now += 10_000
    await seat.report({ state: { connection: 'reconnecting' } })
    expect((await attendees()).seat.state).toBe('lost')
    await seat.report()
    expect((await attendees()).seat.state).toBe('in')
    for (let one = 0; one < 15; one++) {
      await later(5_000)
      await seat.report()
    }
    expect((await attendees()).attendees).toHaveLength(1)
  })

  test('goes on after the room was loaded again', async () => {
    await seat.report({ full: true, attendees: [seen('Lee')] })
    await server.deps.rooms.forget(host.id)
    expect(await seat.report()).toMatchObject({ status: 409, body: { code: 'seat_out_of_step' } })
    expect((await seat.report({ full: true, attendees: [seen('Lee')] })).status).toBe(200)
    expect((await attendees()).attendees).toHaveLength(1)
  })

  test('shows phones that wait that the host is in the meeting', async () => {
    await receiveWebhooks(server)
    const meeting = `/meetings/${host.rooms[0]?.zoom_meeting_id}`
    await server.control(`${meeting}/start`, {})
    await webhooksProcessed(server)
    expect(await findHostPresence(server.deps, room)).toBe('unknown')
    await server.control(`${meeting}/participants/join`, { host: true, customer_key: `seat-${'a'.repeat(30)}` })
    await webhooksProcessed(server)
    expect(await server.deps.db.selectFrom('sitting_people').selectAll().execute()).toEqual([])
    await seat.report({ state: { powers: 'co-host' } })
    expect(await findHostPresence(server.deps, room)).toBe('unknown')
    await seat.report()
    expect(await findHostPresence(server.deps, room)).toBe('present')
    await seat.release()
    expect(await findHostPresence(server.deps, room)).toBe('unknown')
  })
})

describe('DELETE /host/seat', () => {
  test('gives the seat up, once', async () => {
    await seat.take()
    await seat.report({ full: true, attendees: [seen('Lee')] })
    expect((await seat.release()).status).toBe(200)
    expect((await seat.release()).status).toBe(200)
    expect(await attendees()).toMatchObject({ seat: { state: 'off' }, attendees: [] })
    expect(await auditedOf()).toEqual(['seat_released', 'seat_taken'])
    await (await otherConsole()).take()
    expect(await seat.release()).toMatchObject({ status: 409, body: { code: 'seat_lost' } })
  })
})

describe('the end of the session that has the seat', () => {
  const ends = {
    'by the host that logs out': (as: SignedIn) => call(server, 'POST', '/auth/host/logout', { as }),
    'by another session': () => call(server, 'POST', '/account/sessions/end-others', { as: host }),
    'by a new password': async () => {
      const body = { current_password: PASSWORD, new_password: 'a much longer one' }
      return call(server, 'POST', '/account/password', { as: host, body })
    },
  }
  const console = async () => {
    const other = await otherConsole()
    await other.take()
    await other.report({ full: true, attendees: [seen('Lee')] })
    return other
  }

  test.each(['by the host that logs out', 'by another session', 'by a new password'] as const)(
    '%s gives the seat up, and nobody calls it lost',
    async (which) => {
      const other = await console()
      const stream = await streamOf(host)
      expect((await ends[which](other.as)).status).toBe(200)
      await stream.next('seat', { state: 'off', by: null })
      expect(await attendees()).toMatchObject({ attendees: [] })
      await later(20_000)
      expect((await attendees()).seat.state).toBe('off')
      expect(await auditedOf()).toEqual(['seat_released', 'seat_taken'])
      expect((await seat.take()).status).toBe(200)
    },
  )

  test('leaves the seat of another session alone', async () => {
    const other = await console()
    const unconcerned = { token: await openSession(server, host.id) }
    await call(server, 'POST', '/auth/host/logout', { as: unconcerned })
    expect((await other.report()).status).toBe(200)
    expect((await attendees()).seat.state).toBe('in')
  })

  test('leaves the seat alone that another console has taken over by then', async () => {
    const former = await console()
    await seat.take({ take_over: true })
    await seat.report()
    await call(server, 'POST', '/auth/host/logout', { as: former.as })
    expect((await seat.report()).status).toBe(200)
    expect((await attendees()).seat.state).toBe('in')
  })
})
