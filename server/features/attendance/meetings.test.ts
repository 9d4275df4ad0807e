import { beforeEach, describe, expect, test } from 'vitest'
import { MeetingsAnswer } from '../../../shared/attendance.ts'
import { buildHost, buildRoomUser, call, openSession, type TestHost } from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'
import { clearPresences, clearSittings } from '../rooms/jobs.ts'

const DAY = 24 * 3_600_000
const NOW = Date.parse('2026-11-21T18:30:00Z') // midnight in India
const clock = { now: NOW }
let host: TestHost

const server = await setup({ now: () => clock.now })
beforeEach(async () => {
  clock.now = NOW
  host = await buildHost(server)
})

async function meetings(query = '') {
  const as = { token: await openSession(server, host.id) }
  const { status, body } = await call(server, 'GET', `/host/attendance/meetings?${query}`, { as })
  expect(status).toBe(200)
  return MeetingsAnswer.parse(body).data
}

const roomOf = ({ id }: TestHost) =>
  server.deps.db.selectFrom('rooms').select('id').where('host_id', '=', id).executeTakeFirstOrThrow()

async function buildSitting(meeting_uuid: string, began: string, last: string, is_live = false, of = host) {
  const { id: room_id } = await roomOf(of)
  const times = { began_at: new Date(began), live_reported_at: new Date(last) }
  await server.deps.db
    .insertInto('sittings')
    .values({ room_id, meeting_uuid, meeting_id: '92707706511', is_live, ...times })
    .execute()
}

describe('GET /api/host/attendance/meetings', () => {
  test('lists the meetings of the days in the zone, newest first, with the one that runs', async () => {
    await buildSitting('last-week', '2026-11-14T10:00:00Z', '2026-11-14T11:00:00Z')
    await buildSitting('over-midnight', '2026-11-20T18:00:00Z', '2026-11-20T19:00:00Z')
    await buildSitting('running', '2026-11-21T12:00:00Z', '2026-11-21T12:00:00Z', true)
    await buildSitting('of-another', '2026-11-21T12:00:00Z', '2026-11-21T13:00:00Z', false, await buildHost(server))

    const over = { id: 'over-midnight', started_at: '2026-11-20T18:00:00.000Z', ended_at: '2026-11-20T19:00:00.000Z' }
    const running = { id: 'running', started_at: '2026-11-21T12:00:00.000Z', ended_at: null }
    expect((await meetings('from=2026-11-21&to=2026-11-21&zone=Asia/Kolkata')).meetings).toEqual([running, over])
    expect((await meetings('from=2026-11-20&to=2026-11-20&zone=Asia/Kolkata')).meetings).toEqual([over])
    expect((await meetings()).meetings).toEqual([running])
    expect((await meetings('from=2026-11-01')).meetings).toHaveLength(3)
  })

  test('begins a meeting whose start is unknown after the one before, and omits one of which nothing is known', async () => {
    await buildSitting('nothing-known', '1970-01-01T00:00:00.001Z', '1970-01-01T00:00:00Z')
    await buildSitting('first', '2026-11-21T10:00:00Z', '2026-11-21T11:00:00Z')
    await buildSitting('found-running', '2026-11-21T10:00:00.001Z', '2026-11-21T12:00:00Z')
    expect((await meetings()).meetings).toMatchObject([
      { id: 'found-running', started_at: '2026-11-21T11:00:00.000Z', ended_at: '2026-11-21T12:00:00.000Z' },
      { id: 'first' },
    ])
  })

  test('states whether the room has a meeting at Zoom', async () => {
    expect(await meetings()).toEqual({ has_zoom: false, meetings: [] })
    const { id } = await roomOf(host)
    await server.deps.db.updateTable('rooms').set({ zoom_meeting_id: '92707706511' }).where('id', '=', id).execute()
    expect(await meetings()).toEqual({ has_zoom: true, meetings: [] })
  })

  test.each([
    ['zone=Mars/Base', 'zone'],
    ['from=2025-11-19&to=2026-11-21', 'to'],
    ['from=yesterday', 'from'],
  ])('refuses %s', async (query, path) => {
    const refused = await call(server, 'GET', `/host/attendance/meetings?${query}`, { as: host })
    expect(refused).toMatchObject({ status: 422, body: { code: 'invalid_input', errors: [{ path }] } })
  })
})

describe('the jobs', () => {
  test('keep when a meeting was as long as its attendance, and who was in it for a week', async () => {
    await buildSitting('old', '2026-11-21T12:00:00Z', '2026-11-21T18:00:00Z')
    const { id: room_id } = await roomOf(host)
    const { id: room_user_id } = await buildRoomUser(server, host)
    const who = { participant: 'p1', room_user_id, is_present: false, reported_at: new Date('2026-11-21T18:00:00Z') }
    await server.deps.db
      .insertInto('sitting_people')
      .values({ room_id, meeting_uuid: 'old', ...who })
      .execute()
    clock.now = Date.parse('2026-11-21T18:00:01Z') + 7 * DAY
    expect(await clearPresences.run(server.deps)).toBe(1)
    expect(await clearSittings.run(server.deps)).toBe(0)
    clock.now += 389 * DAY
    expect(await clearSittings.run(server.deps)).toBe(1)
  })
})
