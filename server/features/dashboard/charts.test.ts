import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { DashboardChartsAnswer } from '../../../shared/dashboard.ts'
import { buildHost, buildRoomUser, call, type TestHost } from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'

const NOW = Date.parse('2026-11-21T21:00:00Z')
const server = await setup({ now: () => NOW })
let host: TestHost
let room_id: string

beforeEach(async () => {
  host = await buildHost(server)
  const rooms = server.deps.db.selectFrom('rooms').select('id').where('host_id', '=', host.id)
  room_id = (await rooms.executeTakeFirstOrThrow()).id
})

async function charts(query = '') {
  const { status, body } = await call(server, 'GET', `/host/dashboard/charts?${query}`, { as: host })
  expect(status).toBe(200)
  return DashboardChartsAnswer.parse(body).data
}

async function addStay(username: string, joined_at: string, left_at: string) {
  const { id } = await buildRoomUser(server, host, { username })
  await sql`insert into stays (room_id, room_user_id, user_id, username, joined_at, left_at)
    values (${room_id}, ${id}, ${username}, ${username}, ${joined_at}, ${left_at})`.execute(server.deps.db)
}

async function addMeeting(began_at: string, live_reported_at: string, is_live = false) {
  const times = { began_at: new Date(began_at), live_reported_at: new Date(live_reported_at) }
  await server.deps.db
    .insertInto('sittings')
    .values({ room_id, meeting_uuid: began_at, meeting_id: '92707706511', is_live, ...times })
    .execute()
}

describe('GET /api/host/dashboard/charts', () => {
  test('counts the users of 28 days of the zone, and those over the meeting that ended last', async () => {
    await addMeeting('2026-11-13T20:00:00Z', '2026-11-13T20:30:00Z')
    await addMeeting('2026-11-20T20:00:00Z', '2026-11-20T20:29:59Z')
    await addMeeting('2026-11-21T20:00:00Z', '2026-11-21T20:00:00Z', true)
    await addStay('amina', '2026-11-20T20:00:00Z', '2026-11-20T20:10:30Z')
    await addStay('ravi', '2026-11-20T20:05:00Z', '2026-11-20T20:40:00Z')
    await addStay('mei', '2026-11-20T10:00:00Z', '2026-11-20T10:30:00Z')
    const { days, last_meeting } = await charts()
    expect([days.length, days[0]?.day, days.at(-1)]).toEqual([28, '2026-10-25', { day: '2026-11-21', users: 0 }])
    expect(days.at(-2)).toEqual({ day: '2026-11-20', users: 3 })
    expect(last_meeting).toMatchObject({
      id: '2026-11-20T20:00:00Z',
      presence: { came: 2, most: 2, most_at: '2026-11-20T20:05:00.000Z', step_seconds: 60 },
    })
    expect(last_meeting?.presence?.points).toHaveLength(30)
    expect((await charts('zone=Asia/Kolkata')).days.slice(-2).map(({ users }) => users)).toEqual([2, 0])
  })

  test('has no meeting before the first has ended, and no users over one of more than two days', async () => {
    expect(await charts()).toMatchObject({ last_meeting: null })
    await addMeeting('2026-11-10T20:00:00Z', '2026-11-13T20:00:00Z')
    expect((await charts()).last_meeting).toMatchObject({ presence: null })
  })

  test('bears a meeting whose end was reported before its start', async () => {
    await addMeeting('2026-11-20T20:00:00Z', '2026-11-20T20:00:00Z')
    await server.deps.db
      .updateTable('sittings')
      .set({ started_at: new Date('2026-11-20T20:00:05Z') })
      .execute()
    expect((await charts()).last_meeting).toMatchObject({ presence: { came: 0, points: [] } })
  })

  test('refuses a zone that there is not', async () => {
    const { status } = await call(server, 'GET', '/host/dashboard/charts?zone=Mars/Olympus', { as: host })
    expect(status).toBe(422)
  })
})
