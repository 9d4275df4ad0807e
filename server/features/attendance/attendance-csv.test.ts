import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  buildHost,
  buildPhone,
  buildRoomUser,
  call,
  openSession,
  type TestHost,
  type TestPhone,
} from '../../../test/factories/accounts.ts'
import { readAttendance, stayOnline } from '../../../test/factories/attendance.ts'
import { setup } from '../../../test/servers/setup.ts'

const MINUTE = 60_000
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

async function csv(query = '') {
  const answer = await server.app.inject({
    url: `/api/host/attendance?format=csv&${query}`,
    headers: { host: 'localhost:3000', authorization: `Bearer ${(await as()).token}` },
  })
  expect(answer.statusCode).toBe(200)
  return answer
}

const logOut = (phone: TestPhone) => call(server, 'POST', '/mobile/logout', { as: phone })
const at = (ms: number) => new Date(ms).toISOString()

const stayFor = (ms: number, ...phones: TestPhone[]) => stayOnline(server, clock, ms, ...phones)

describe('GET /api/host/attendance?format=csv', () => {
  test('has the same rows, with formulas neutralized', async () => {
    const user = await buildRoomUser(server, host, {
      username: '=cmd|"/c calc"!A1, x',
      user_id: 'U000001',
      reference: '+1',
    })
    await buildRoomUser(server, host, { username: '@bela', user_id: '-00000002' })
    const phone = await buildPhone(server, host, user)
    await stayFor(MINUTE, phone)
    await logOut(phone)
    const file = await csv()
    expect(file.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': 'attachment; filename="attendance-2026-11-21.csv"',
      'cache-control': 'no-store',
    })
    expect(file.body).toBe(
      '\uFEFFuser_id,username,reference,first_joined,last_left,total_seconds,visits,time_zone\r\n' +
        `U000001,"'=cmd|""/c calc""!A1, x",'+1,${at(TODAY)},${at(clock.now)},60,1,UTC\r\n` +
        "'-00000002,'@bela,,,,0,0,UTC\r\n",
    )
    const stays = await csv('table=stays&from=2026-11-20')
    expect(stays.headers['content-disposition']).toBe('attachment; filename="stays-2026-11-20-to-2026-11-21.csv"')
    expect(stays.body).toBe(
      '\uFEFFuser_id,username,joined_at,left_at,seconds,time_zone\r\n' +
        `U000001,"'=cmd|""/c calc""!A1, x",${at(TODAY)},${at(clock.now)},60,UTC\r\n`,
    )
    const exports = server.deps.db.selectFrom('audit').selectAll().where('action', '=', 'attendance_exported')
    expect(await exports.execute()).toMatchObject([{ actor_id: host.id }, { actor_id: host.id }])
  })

  test('has the times of the zone, with their distance from UTC, and names it', async () => {
    const phone = await buildPhone(server, host, await buildRoomUser(server, host, { username: 'amina' }))
    await stayFor(MINUTE, phone)
    await logOut(phone)
    const file = await csv('zone=Asia/Kolkata&table=stays&from=2026-11-21T00:00:00Z')
    expect(file.headers['content-disposition']).toMatch('filename="stays-2026-11-21T0530-to-2026-11-21.csv"')
    expect(file.body.split('\r\n')[1]).toMatch(
      /,amina,2026-11-21T15:30:00\+05:30,2026-11-21T15:31:00\+05:30,60,Asia\/Kolkata$/,
    )
    expect((await csv('zone=America/New_York')).body).toMatch('2026-11-21T05:00:00-05:00')
  })

  test('has every stay, where the list shows the latest', async () => {
    const user = await buildRoomUser(server, host)
    await sql`insert into stays (room_id, room_user_id, user_id, username, joined_at, left_at)
      select room_id, id, user_id, username, joined, joined + interval '1 second'
      from room_users, generate_series(1, 10050) as n,
        lateral (select ${new Date(TODAY)}::timestamptz - n / 2 * interval '2 seconds' as joined) as times
      where id = ${user.id}`.execute(server.deps.db)
    const { stays, stays_total, attendance: came } = await attendance()
    expect([stays.length, stays_total]).toEqual([10_000, 10_050])
    expect(came).toMatchObject([{ visits: 10_050, total_seconds: 10_050 }])
    const lines = (await csv('table=stays')).body.trim().split('\r\n').slice(1)
    expect(lines).toHaveLength(10_050)
    expect(lines.map((line) => line.split(',')[2])).toEqual(
      lines
        .map((line) => line.split(',')[2])
        .sort()
        .reverse(),
    )
  })
})
