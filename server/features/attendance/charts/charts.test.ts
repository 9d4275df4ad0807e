import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { AttendanceChartsAnswer } from '../../../../shared/attendance-charts.ts'
import { buildHost, buildRoomUser, call, openSession, type TestHost } from '../../../../test/factories/accounts.ts'
import { setup } from '../../../../test/servers/setup.ts'

const NOW = '2026-11-21T21:00:00Z'
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const clock = { now: Date.parse(NOW) }
let host: TestHost
let room_id: string

const server = await setup({ now: () => clock.now })
beforeEach(async () => {
  clock.now = Date.parse(NOW)
  host = await buildHost(server)
  const rooms = server.deps.db.selectFrom('rooms').select('id').where('host_id', '=', host.id)
  room_id = (await rooms.executeTakeFirstOrThrow()).id
})

async function charts(query = '') {
  const as = { token: await openSession(server, host.id) }
  const { status, body } = await call(server, 'GET', `/host/attendance/charts?${query}`, { as })
  expect(status).toBe(200)
  return AttendanceChartsAnswer.parse(body).data
}

async function csv(query: string) {
  const answer = await server.app.inject({
    url: `/api/host/attendance?format=csv&${query}`,
    headers: { host: 'localhost:3000', authorization: `Bearer ${await openSession(server, host.id)}` },
  })
  expect(answer.statusCode).toBe(200)
  return { name: answer.headers['content-disposition'], lines: answer.body.slice(1).trimEnd().split('\r\n') }
}

/** Adds a user who existed a year ago, with stays; one without an end goes on. */
async function addUser(username: string, ...stays: [joined_at: string, left_at?: string][]): Promise<string> {
  const { id, user_id } = await buildRoomUser(server, host, { username, user_id: `ID-${username}` })
  const created_at = new Date(clock.now - 365 * DAY)
  await server.deps.db.updateTable('room_users').set({ created_at }).where('id', '=', id).execute()
  for (const [joined_at, left_at] of stays)
    await sql`insert into stays (room_id, room_user_id, user_id, username, joined_at, left_at)
      values (${room_id}, ${id}, ${user_id}, ${username}, ${joined_at}, ${left_at ?? null})`.execute(server.deps.db)
  return id
}

async function addMeeting(began_at: string, live_reported_at: string, is_live = false) {
  const times = { began_at: new Date(began_at), live_reported_at: new Date(live_reported_at) }
  await server.deps.db
    .insertInto('sittings')
    .values({ room_id, meeting_uuid: began_at, meeting_id: '92707706511', is_live, ...times })
    .execute()
}

const onDay = (time: string) => `2026-11-21T${time}:00.000Z`
const MEETING = `from=${onDay('20:00')}&to=2026-11-21T20:29:59.999Z`

describe('GET /api/host/attendance/charts: users over time', () => {
  test('are shown of a running meeting, although the chosen days end later', async () => {
    await addUser('amina', [onDay('20:10')])
    const { presence } = await charts(`from=${onDay('20:00')}&to=2026-11-27`)
    expect(presence).toMatchObject({ came: 1, step_seconds: 60 })
    expect(presence?.points).toHaveLength(60)
  })

  test('counts who was present in each step, who joined and who left, and when most were there', async () => {
    await addUser('early', [onDay('19:00'), onDay('20:01')]) // was there before the meeting
    await addUser('whole', [onDay('20:00'), onDay('20:45')]) // and after it
    await addUser('twice', [onDay('20:01'), onDay('20:03')], [onDay('20:10'), onDay('20:12')])
    await addUser('outside', [onDay('19:00'), onDay('20:00')], [onDay('20:30'), onDay('20:40')])
    const { presence } = await charts(MEETING)
    expect(presence).toMatchObject({ came: 3, most: 3, most_at: onDay('20:01'), step_seconds: 60 })
    expect(presence?.points).toHaveLength(30)
    const counts = (presence?.points ?? []).map(({ present, joined, left }) => [present, joined, left].join())
    expect(counts.slice(0, 5)).toEqual(['2,1,0', '3,1,1', '2,0,0', '2,0,1', '1,0,0'])
    expect(counts.slice(9, 14)).toEqual(['1,0,0', '2,1,0', '2,0,0', '2,0,1', '1,0,0'])
    expect(counts.at(-1)).toBe('1,0,0')
    expect(presence?.points[0]?.at).toBe(onDay('20:00'))
  })

  test('ends now while a user is still online, and begins a day with its first arrival', async () => {
    await addUser('here', [onDay('20:30')])
    const { presence } = await charts()
    expect(presence).toMatchObject({ came: 1, most: 1, most_at: onDay('20:30') })
    expect(presence?.points).toHaveLength(30)
    expect(presence?.points.at(0)).toEqual({ at: onDay('20:30'), present: 1, joined: 1, left: 0 })
    expect(presence?.points.at(-1)).toEqual({ at: onDay('20:59'), present: 1, joined: 0, left: 0 })
  })

  test('is empty for a meeting to which no one came, and for a day without visits', async () => {
    await addUser('absent', [onDay('10:00'), onDay('11:00')])
    const none = { came: 0, most: 0, most_at: null, points: [] }
    expect((await charts(MEETING)).presence).toMatchObject(none)
    expect((await charts('from=2026-11-20&to=2026-11-20')).presence).toMatchObject(none)
  })

  test('keeps a part of a stay over midnight, and counts as joined only who joined in it', async () => {
    await addUser('over midnight', ['2026-11-20T23:50:00Z', '2026-11-21T00:05:00Z'])
    const { presence } = await charts()
    expect(presence?.points.map(({ present, joined, left }) => [present, joined, left])).toEqual([
      ...Array.from({ length: 4 }, () => [1, 0, 0]),
      [1, 0, 1],
    ])
    expect((await charts('from=2026-11-20')).presence?.points[0]).toMatchObject({
      at: '2026-11-20T23:50:00.000Z',
      joined: 1,
    })
  })

  test('has steps of a round length, also in a zone of half an hour and on a day of 25 hours', async () => {
    clock.now = Date.parse('2026-11-02T12:00:00Z')
    await addUser('all day', ['2026-10-30T04:10:00Z', '2026-11-03T00:00:00Z'])
    const lost = await charts('from=2026-11-01&to=2026-11-01&zone=America/New_York')
    expect(lost.presence?.points[0]?.at).toBe('2026-11-01T04:00:00.000Z')
    expect(lost.presence).toMatchObject({ step_seconds: 1800 })
    expect(lost.presence?.points).toHaveLength(50)
    const half = await charts('from=2026-10-31&to=2026-11-01&zone=Asia/Kolkata')
    expect(half.presence?.points[0]?.at).toBe('2026-10-30T18:30:00.000Z')
    expect(half.presence?.points).toHaveLength(48)
  })

  test('has none for more than two days', async () => {
    expect((await charts('from=2026-11-19')).presence).toBeNull()
    expect((await charts('from=2026-11-20')).presence).not.toBeNull()
  })
})

describe('GET /api/host/attendance/charts: users per day', () => {
  const usersOn = async (day: string, query = '') => (await charts(query)).days.find((one) => one.day === day)?.users

  test('counts a user once on each day of a stay, twelve weeks from a Monday to the last day', async () => {
    await addUser(
      'over midnight',
      ['2026-11-19T23:00:00Z', '2026-11-20T01:00:00Z'],
      ['2026-11-20T05:00:00Z', onDay('00:00')],
    )
    await addUser('here', ['2026-11-20T20:00:00Z'])
    await addUser('long ago', ['2026-08-30T10:00:00Z', '2026-08-31T00:00:00Z'])
    const { days } = await charts()
    expect([days.length, days[0], days.at(-1)]).toEqual([
      83,
      { day: '2026-08-31', users: 0 },
      { day: '2026-11-21', users: 1 },
    ])
    expect(days.slice(-3).map(({ users }) => users)).toEqual([1, 2, 1])
    expect(days.reduce((sum, { users }) => sum + users, 0)).toBe(4)
  })

  test.each([
    ['2026-11-01', 'America/New_York', '2026-11-01T04:00:00Z', '2026-11-02T05:00:00Z'],
    ['2026-03-08', 'America/New_York', '2026-03-08T05:00:00Z', '2026-03-09T04:00:00Z'],
    ['2026-09-27', 'Pacific/Auckland', '2026-09-26T12:00:00Z', '2026-09-27T11:00:00Z'],
    ['2026-11-20', 'Asia/Kolkata', '2026-11-19T18:30:00Z', '2026-11-20T18:30:00Z'],
  ])('begins and ends %s as the clocks of %s do', async (day, zone, start, end) => {
    const second = (at: string, by: number) => new Date(Date.parse(at) + by * 1000).toISOString()
    await addUser('before', [second(start, -60), second(start, 0)])
    await addUser('first', [second(start, -60), second(start, 1)])
    await addUser('last', [second(end, -1), second(end, 60)])
    await addUser('after', [second(end, 0), second(end, 60)])
    expect(await usersOn(day, `from=${day}&to=${day}&zone=${zone}`)).toBe(2)
  })

  test('covers the days that are chosen, and none that are to come', async () => {
    const { days } = await charts('from=2026-01-01&to=2026-12-31')
    expect([days[0]?.day, days.at(-1)?.day]).toEqual(['2026-01-01', '2026-11-21'])
    expect((await charts('from=2026-12-24&to=2026-12-31')).days.at(-1)?.day).toBe('2026-11-21')
  })
})

describe('GET /api/host/attendance/charts: length of visits', () => {
  test('counts each visit by its part within the period, in bands, with the median', async () => {
    await addUser('brief', [onDay('20:00'), '2026-11-21T20:04:59Z'], [onDay('20:10'), onDay('20:15')])
    await addUser('cut', [onDay('19:00'), onDay('20:20')])
    const { lengths } = await charts(MEETING)
    expect(lengths.median_seconds).toBe(300)
    expect(lengths.bands.map(({ visits }) => visits)).toEqual([1, 1, 1, 0, 0, 0, 0, 0, 0])
    expect(lengths.bands[0]).toMatchObject({ from_seconds: 0, to_seconds: 300 })
    expect(lengths.bands.at(-1)).toMatchObject({ from_seconds: 10_800, to_seconds: null })
  })

  test('counts a visit that still lasts as long as it is so far, and has no median without visits', async () => {
    expect((await charts()).lengths.median_seconds).toBeNull()
    await addUser('here', [onDay('17:30')])
    expect((await charts()).lengths).toMatchObject({ median_seconds: 12_600, bands: { 8: { visits: 1 } } })
  })
})

describe('GET /api/host/attendance/charts: who is new, and who no longer comes', () => {
  test('lists who came for the first time in the period, in the order of arrival', async () => {
    await addUser('new', [onDay('20:10'), onDay('20:20')], [onDay('20:25')])
    await addUser('first', [onDay('20:05'), onDay('20:20')])
    await addUser('known', ['2026-11-01T10:00:00Z', '2026-11-01T11:00:00Z'], [onDay('20:00'), onDay('20:20')])
    await addUser('since before', [onDay('19:59'), onDay('20:20')])
    const erased = await addUser('erased', [onDay('20:06'), onDay('20:07')])
    await server.deps.db.deleteFrom('room_users').where('id', '=', erased).execute()
    await server.deps.db.updateTable('stays').set({ user_id: '' }).where('room_user_id', '=', erased).execute()
    const { first_timers } = await charts(MEETING)
    expect(first_timers.map(({ username, user_id, first_joined }) => [username, user_id, first_joined])).toEqual([
      ['first', 'ID-first', onDay('20:05')],
      ['erased', '', onDay('20:06')],
      ['new', 'ID-new', onDay('20:10')],
    ])
    expect((await csv(`table=first_timers&${MEETING}&zone=Asia/Kolkata`)).lines[1]).toBe(
      'ID-first,first,,2026-11-22T01:35:00+05:30,Asia/Kolkata',
    )
  })

  test('lists who came to none of the last four meetings that someone attended, the latest to leave first', async () => {
    for (const day of [12, 13, 14, 15, 16, 17]) await addMeeting(`2026-11-${day}T10:00:00Z`, `2026-11-${day}T11:00:00Z`)
    const visit = (day: number, time = '10:30'): [string, string] => [
      `2026-11-${day}T${time}:00Z`,
      `2026-11-${day}T10:40:00Z`,
    ]
    await addUser('regular', visit(12), visit(13), visit(15), visit(16), visit(17)) // no one came on the 14th
    await addUser('lost early', visit(12, '10:10'))
    await addUser('lost', visit(12, '10:20'), ['2026-11-17T11:00:00Z', '2026-11-17T12:00:00Z'])
    await addUser('until the end', ['2026-11-13T09:00:00Z', '2026-11-13T10:00:01Z'])
    await addUser('never')
    const gone = await addUser('deactivated')
    await server.deps.db.updateTable('room_users').set({ is_active: false }).where('id', '=', gone).execute()
    await buildRoomUser(server, host, { username: 'new' })
    const { lapsed } = await charts()
    expect(lapsed.meetings).toBe(4)
    expect(lapsed.users.map(({ username, last_joined }) => [username, last_joined])).toEqual([
      ['lost', '2026-11-17T11:00:00.000Z'],
      ['lost early', '2026-11-12T10:10:00.000Z'],
      ['never', null],
    ])
    expect((await csv('table=lapsed')).lines.at(-1)).toBe('ID-never,never,,,UTC')
    const before = await charts('from=2026-11-16&to=2026-11-16')
    expect(before.lapsed.users.map(({ username }) => username)).toEqual(['never'])
  })

  test('lists no one while fewer than four meetings took place', async () => {
    await addUser('regular', ['2026-11-17T10:00:00Z'])
    await addUser('never')
    for (const day of [18, 19]) await addMeeting(`2026-11-${day}T10:00:00Z`, `2026-11-${day}T11:00:00Z`)
    await addMeeting(onDay('20:00'), onDay('20:00'), true)
    expect((await charts()).lapsed).toEqual({ meetings: 3, users: [] })
  })
})

describe('GET /api/host/attendance?format=csv: the tables of charts', () => {
  test('have the same numbers', async () => {
    await addUser('amina', [onDay('20:00'), '2026-11-21T20:02:00Z'])
    expect(await csv('table=presence')).toEqual({
      name: 'attachment; filename="presence-2026-11-21.csv"',
      lines: ['time,present,joined,left,time_zone', `${onDay('20:00')},1,1,0,UTC`, `${onDay('20:01')},1,0,1,UTC`],
    })
    const days = await csv('table=days')
    expect([days.lines[0], days.lines.at(-1)]).toEqual(['day,users,time_zone', '2026-11-21,1,UTC'])
    expect((await csv('table=lengths')).lines.slice(0, 2)).toEqual(['from_seconds,to_seconds,visits', '0,300,1'])
    expect((await csv('table=first_timers')).name).toMatch('first-timers-2026-11-21.csv')
  })

  test("cover only the host's own room", async () => {
    await addUser('amina', [onDay('20:00'), onDay('20:02')])
    host = await buildHost(server)
    expect(await charts()).toMatchObject({
      presence: { came: 0 },
      lengths: { median_seconds: null },
      first_timers: [],
      lapsed: { users: [] },
    })
    expect((await charts()).days.every(({ users }) => users === 0)).toBe(true)
  })
})
