import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  buildHost,
  buildMaster,
  buildPhone,
  buildRoomUser,
  call,
  openSession,
  phoneLogin,
  type TestHost,
  type TestPhone,
} from '../../../test/factories/accounts.ts'
import { readAttendance, sendStatus, stayOnline } from '../../../test/factories/attendance.ts'
import { setup } from '../../../test/servers/setup.ts'
import { SpeechLog } from './speech-log.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const TODAY = Date.parse('2026-11-21T10:00:00Z')
const clock = { now: TODAY }
let host: TestHost

const server = await setup({ now: () => clock.now })
beforeEach(async () => {
  clock.now = TODAY
  host = await buildHost(server)
})

const as = async () => ({ token: await openSession(server, host.id) }) // sessions are shorter than the days that pass

const attendance = (query = '') => readAttendance(server, host, query)

const heartbeat = (phone: TestPhone) => sendStatus(server, phone)
const logOut = (phone: TestPhone) => call(server, 'POST', '/mobile/logout', { as: phone })
/** Signs the same phone in again. */
async function logInAgain({ id, device_id }: TestPhone, user: { username: string }): Promise<TestPhone> {
  const { token } = (await phoneLogin(server, host, user, device_id)).body.data
  const phone = { id, device_id, token }
  await heartbeat(phone)
  return phone
}

const at = (ms: number) => new Date(ms).toISOString()

const stayFor = (ms: number, ...phones: TestPhone[]) => stayOnline(server, clock, ms, ...phones)

describe('GET /api/host/attendance', () => {
  test('lists who came, when, for how long and how often, and who did not', async () => {
    const amina = await buildRoomUser(server, host, { username: 'amina', user_id: 'U000001', reference: 'Row 3' })
    const absent = await buildRoomUser(server, host, { username: 'bela', user_id: 'U000002' })
    const phone = await buildPhone(server, host, amina)
    await stayFor(5 * MINUTE, phone)
    await logOut(phone)
    clock.now += HOUR
    const again = await logInAgain(phone, amina)
    await stayFor(MINUTE, again)

    expect(await attendance()).toEqual({
      from: '2026-11-21',
      to: '2026-11-21',
      zone: 'UTC',
      attendance: [
        {
          id: amina.id,
          user_id: 'U000001',
          username: 'amina',
          reference: 'Row 3',
          first_joined: at(TODAY),
          last_left: null,
          total_seconds: 360,
          visits: 2,
        },
      ],
      speakers: [],
      absent: [{ id: absent.id, user_id: 'U000002', username: 'bela', reference: null }],
      stays: [
        {
          id: amina.id,
          user_id: 'U000001',
          username: 'amina',
          joined_at: at(clock.now - MINUTE),
          left_at: null,
          seconds: 60,
        },
        {
          id: amina.id,
          user_id: 'U000001',
          username: 'amina',
          joined_at: at(TODAY),
          left_at: at(TODAY + 5 * MINUTE),
          seconds: 300,
        },
      ],
      stays_total: 2,
    })
    await logOut(again)
    expect((await attendance()).attendance).toMatchObject([{ last_left: at(clock.now), total_seconds: 360 }])
  })

  test('ends a stay with the lease of a silent phone, and writes nothing for a heartbeat', async () => {
    const user = await buildRoomUser(server, host)
    const phone = await buildPhone(server, host, user)
    await stayFor(MINUTE, phone)
    clock.now += 30_001
    await server.deps.rooms.sweep()
    expect((await attendance()).stays).toMatchObject([{ left_at: at(clock.now), seconds: 90 }])
  })

  test('ends a stay when the phone says that it has left', async () => {
    const phone = await buildPhone(server, host, await buildRoomUser(server, host))
    await stayFor(MINUTE, phone)
    await call(server, 'POST', '/mobile/status', { as: phone, body: { left: true } })
    expect((await attendance()).stays).toMatchObject([{ left_at: at(clock.now), seconds: 60 }])
  })

  test('continues a stay when the phone returns within the lease', async () => {
    const user = await buildRoomUser(server, host)
    let phone = await buildPhone(server, host, user)
    for (let time = 0; time < 3; time++) {
      phone = await logInAgain(phone, user)
      await stayFor(MINUTE, phone)
      await logOut(phone)
      await server.deps.stays.flush()
      clock.now += 30_000
    }
    expect((await attendance()).attendance).toMatchObject([{ visits: 1, total_seconds: 240 }])
    clock.now += 1
    await logOut(await logInAgain(phone, user))
    expect((await attendance()).attendance).toMatchObject([{ visits: 2, total_seconds: 240 }])
  })

  test('splits a stay over midnight at the requested days', async () => {
    clock.now = Date.parse('2026-11-20T23:50:00Z')
    const phone = await buildPhone(server, host, await buildRoomUser(server, host))
    await stayFor(30 * MINUTE, phone)
    await logOut(phone)
    clock.now = TODAY
    const seconds = async (query: string) => (await attendance(query)).attendance.map((one) => one.total_seconds)
    expect(await seconds('from=2026-11-20&to=2026-11-20')).toEqual([600])
    expect(await seconds('')).toEqual([1200])
    expect(await seconds('from=2026-11-20')).toEqual([1800])
    expect(await seconds('from=2026-11-19&to=2026-11-19')).toEqual([])
    expect(await seconds('from=2026-11-22')).toEqual([])
    expect((await attendance('from=2026-11-22')).to).toBe('2026-11-22')
  })

  test.each([
    ['a day without a change', 'Asia/Kolkata', '2026-11-20', '2026-11-19T18:30:00Z', 24],
    ['the day of 25 hours', 'America/New_York', '2026-11-01', '2026-11-01T04:00:00Z', 25],
    ['the day of 23 hours', 'America/New_York', '2026-03-08', '2026-03-08T05:00:00Z', 23],
    ['the day of 23 hours in the south', 'Pacific/Auckland', '2026-09-27', '2026-09-26T12:00:00Z', 23],
  ])('counts days as the clocks of the zone do: %s in %s', async (_what, zone, day, start, hours) => {
    const user = await buildRoomUser(server, host)
    await sql`insert into stays (room_id, room_user_id, user_id, username, joined_at, left_at)
      select room_id, id, user_id, username, ${at(Date.parse(start) - DAY)}, ${at(Date.parse(start) + 3 * DAY)}
      from room_users where id = ${user.id}`.execute(server.deps.db)
    clock.now = Date.parse('2026-12-01T00:00:00Z')
    const { attendance: attended, ...rest } = await attendance(`from=${day}&to=${day}&zone=${zone}`)
    expect(rest).toMatchObject({ from: day, to: day, zone })
    expect(attended).toMatchObject([{ total_seconds: hours * 3_600 }])
  })

  test("is of the zone's today without days", async () => {
    clock.now = Date.parse('2026-11-20T18:30:00Z')
    expect(await attendance('zone=Asia/Kolkata')).toMatchObject({ from: '2026-11-21', to: '2026-11-21' })
    expect(await attendance('zone=America/New_York')).toMatchObject({ from: '2026-11-20', to: '2026-11-20' })
  })

  test('counts between exact times', async () => {
    const phone = await buildPhone(server, host, await buildRoomUser(server, host))
    await stayFor(30 * MINUTE, phone)
    const between = (from: number, to: number) =>
      attendance(new URLSearchParams({ from: at(from), to: at(to) }).toString())
    const inside = await between(TODAY + 10 * MINUTE, TODAY + 25 * MINUTE - 1)
    expect(inside.attendance).toMatchObject([{ total_seconds: 900 }])
    expect((await between(TODAY - HOUR, TODAY - 1)).attendance).toEqual([])
  })

  test('names a deleted user as of the last stay, and omits absentees who did not exist yet', async () => {
    const user = await buildRoomUser(server, host, { username: 'amina', user_id: 'U000001' })
    const phone = await buildPhone(server, host, user)
    await stayFor(MINUTE, phone)
    await call(server, 'POST', `/host/users/${user.id}/delete`, { as: await as() })
    clock.now += DAY
    await buildRoomUser(server, { ...host, ...(await as()) })
    const yesterday = await attendance('from=2026-11-21&to=2026-11-21')
    expect(yesterday.attendance).toMatchObject([
      { id: user.id, username: 'amina', user_id: 'U000001', last_left: at(TODAY + MINUTE) },
    ])
    expect(yesterday.absent).toEqual([])
    expect((await attendance()).absent).toHaveLength(1)
  })

  test("covers only the host's own room, and only room users", async () => {
    const other = await buildHost(server)
    await buildPhone(server, other, await buildRoomUser(server, other))
    await call(server, 'PUT', '/host/app-info', { as: host, body: { password: 'phone-password' } })
    const own = await call(server, 'POST', '/mobile/login', {
      body: {
        host_id: host.user_id,
        username: host.user_id,
        password: 'phone-password',
        device_id: 'd',
        platform: 'ios',
      },
    })
    await call(server, 'POST', '/mobile/status', { as: own.body.data })
    expect(await attendance()).toMatchObject({ attendance: [], absent: [], stays: [] })
  })

  test('is for hosts only', async () => {
    const phone = await buildPhone(server, host, await buildRoomUser(server, host))
    expect((await call(server, 'GET', '/host/attendance')).status).toBe(401)
    for (const who of [phone, await buildMaster(server)])
      expect((await call(server, 'GET', '/host/attendance', { as: who })).status).toBe(403)
  })

  test('covers at most a year and a day', async () => {
    expect((await attendance('from=2025-11-21&to=2026-11-21')).from).toBe('2025-11-21')
    const refused = await call(server, 'GET', '/host/attendance?from=2025-11-20&to=2026-11-21', { as: host })
    expect(refused).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'to', msg: 'At most 366 days at a time' }] },
    })
  })

  test.each([
    ['from=2026-11-22&to=2026-11-21', 'to'],
    ['from=2026-02-29', 'from'],
    ['from=21.11.2026', 'from'],
    ['from=0000-01-01', 'from'],
    ['to=9999-12-31', 'to'],
    ['to=2026-11-21T10:00:00', 'to'],
    ['from=2026-11-21T10:00:00Z&to=2026-11-21T09:59:59Z', 'to'],
    ['zone=Asia/Atlantis', 'zone'],
    ['zone=%2B05:30', 'zone'],
    ['zone=2026-11-21T10:00Z[Asia/Kolkata]', 'zone'],
    ['zone=', 'zone'],
    ['format=xml', 'format'],
    ['format=csv&table=hosts', 'table'],
    ['from=2026-11-20&from=2026-11-21', 'from'],
  ])('refuses %s', async (query, path) => {
    const refused = await call(server, 'GET', `/host/attendance?${query}`, { as: host })
    expect(refused).toMatchObject({ status: 422, body: { code: 'invalid_input', errors: [{ path }] } })
  })
})

describe('how long a user spoke', () => {
  const SECOND = 1_000
  const say = (phone: TestPhone, is_speaking: boolean) =>
    call(server, 'POST', '/mobile/status', { as: phone, body: { speaker_on: true, is_speaking } })
  const speeches = () => server.deps.db.selectFrom('speeches').selectAll().orderBy('began_at').execute()
  const spoke = async (query = '') => (await attendance(query)).speakers.map((one) => one.spoke_seconds)

  async function speakFor(phone: TestPhone, ms: number) {
    await say(phone, true)
    clock.now += ms
    await say(phone, false)
  }

  test('counts a pause as speech, a longer one as the end, and a cough not at all', async () => {
    const phone = await buildPhone(server, host, await buildRoomUser(server, host))
    await buildPhone(server, host, await buildRoomUser(server, host)) // says nothing
    await speakFor(phone, 20 * SECOND)
    clock.now += 5 * SECOND
    await speakFor(phone, 4 * SECOND)
    expect(await spoke()).toEqual([29])
    clock.now += 5 * SECOND + 1
    await speakFor(phone, SECOND - 1)
    expect(await spoke()).toEqual([29])
    clock.now += 6 * SECOND
    await speakFor(phone, SECOND)
    expect(await spoke()).toEqual([30])
    expect((await speeches()).map(({ ended_at, began_at }) => +ended_at - +began_at)).toEqual([29_000, 1_000])
  })

  test('ends with a mute, with Mute All and with the phone, and counts only the part within the days', async () => {
    clock.now = Date.parse('2026-11-20T23:59:50Z')
    const user = await buildRoomUser(server, host)
    const phone = await buildPhone(server, host, user)
    await say(phone, true)
    clock.now += 30 * SECOND
    const press = async (path: string) =>
      expect((await call(server, 'POST', path, { as: await as(), body: {} })).status).toBe(200)
    await press(`/host/users/${user.id}/mute`)
    clock.now += MINUTE
    await press(`/host/users/${user.id}/unmute`)
    await say(phone, true)
    clock.now += 4 * SECOND
    await press('/host/trigger-bulk-mute/mute')
    clock.now += MINUTE
    await press('/host/trigger-bulk-mute/unmute')
    await say(phone, true)
    clock.now += 2 * SECOND
    await logOut(phone)
    clock.now = TODAY
    expect(await spoke('from=2026-11-20&to=2026-11-20')).toEqual([10])
    expect(await spoke('from=2026-11-21')).toEqual([26])
    expect(await spoke('from=2026-11-20')).toEqual([36])
  })

  test('is written later, once, if the database failed', async () => {
    const user_id = (await buildRoomUser(server, host)).id
    const room = await server.deps.rooms.get(host.id)
    const log = new SpeechLog({ ...server.deps, db: failingDb() })
    log.record(room.id, { user_id, began_at: clock.now - 9 * SECOND, ended_at: null })
    await log.flush()
    expect(await speeches()).toEqual([])
    await log.flush()
    expect(await spoke()).toEqual([9])
  })

  test('is lost while the database is away once so many wait, and goes on for those', async () => {
    const user_id = (await buildRoomUser(server, host)).id
    const room = await server.deps.rooms.get(host.id)
    const log = new SpeechLog({ ...server.deps, db: failingDb(), maxPending: 1 })
    const [first, second] = [clock.now - 30 * SECOND, clock.now - 9 * SECOND]
    log.record(room.id, { user_id, began_at: first, ended_at: first + 2 * SECOND })
    await log.flush()
    log.record(room.id, { user_id, began_at: second, ended_at: null })
    log.record(room.id, { user_id, began_at: first, ended_at: first + 4 * SECOND })
    await log.flush()
    expect(await spoke()).toEqual([4])
  })

  test('is never 0 s in the list, however little of it the days hold', async () => {
    const phone = await buildPhone(server, host, await buildRoomUser(server, host))
    await speakFor(phone, 2 * SECOND)
    expect(await spoke(`from=${at(clock.now - 1)}&to=${at(clock.now)}`)).toEqual([1])
  })

  /** Fails its first query. */
  function failingDb() {
    const { db } = server.deps
    let failures = 1
    return new Proxy(db, {
      get(target, name) {
        if (name === 'getExecutor' && failures-- > 0) throw new Error('The database is away')
        const value = Reflect.get(target, name, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  }
})
