import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { HomeAnswer } from '../../../shared/home.ts'
import { buildHost, buildMaster, buildRoomUser, call, type SignedIn } from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'

const NOW = Date.parse('2026-11-21T21:04:00Z')
const DAY = 86_400_000
const server = await setup({ now: () => NOW })
let master: SignedIn

beforeEach(async () => {
  master = await buildMaster(server)
})

async function home(as = master) {
  const { status, body } = await call(server, 'GET', '/admin/home', { as })
  expect(status).toBe(200)
  return HomeAnswer.parse(body).data
}

async function addRoom(username: string) {
  const host = await buildHost(server, { username, room_name: `Room of ${username}` })
  const rooms = server.deps.db.selectFrom('rooms').select('id').where('host_id', '=', host.id)
  const room_id = (await rooms.executeTakeFirstOrThrow()).id
  let count = 0
  return {
    host,
    room_id,
    /** Adds a user with stays; one without an end goes on. Days before today have a date. */
    async addStays(...stays: [joined_at: string, left_at?: string][]) {
      const { id } = await buildRoomUser(server, host, { username: `${username} ${count++}` })
      const at = (time: string) => (time.length === 5 ? `2026-11-21T${time}:00Z` : time)
      for (const [joined_at, left_at] of stays)
        await sql`insert into stays (room_id, room_user_id, user_id, username, joined_at, left_at)
          values (${room_id}, ${id}, 'U', 'somebody', ${at(joined_at)}, ${left_at ? at(left_at) : null})`.execute(
          server.deps.db,
        )
    },
    async addMeeting(is_live: boolean) {
      const times = { began_at: new Date(NOW - 3_600_000), live_reported_at: new Date(NOW) }
      await server.deps.db
        .insertInto('sittings')
        .values({ room_id, meeting_uuid: `${username}=`, meeting_id: '92707706511', is_live, ...times })
        .execute()
    },
  }
}

describe('GET /api/admin/home: users online', () => {
  test('are counted over all rooms in quarters of an hour, back from now', async () => {
    const [choir, circle] = [await addRoom('choir'), await addRoom('circle')]
    await choir.addStays(['20:05', '20:25'])
    await choir.addStays(['20:21', '20:22'], ['20:23', '20:24'])
    await circle.addStays(['20:24', '20:29'])
    const { online } = await home()
    expect(online.points).toHaveLength(96)
    expect([online.points[0]?.at, online.points.at(-1)?.at]).toEqual([
      '2026-11-20T21:15:00.000Z',
      '2026-11-21T21:00:00.000Z',
    ])
    expect(online.points.slice(-5).map(({ users }) => users)).toEqual([1, 3, 0, 0, 0])
    expect(online).toMatchObject({ most: 3, most_at: '2026-11-21T20:15:00.000Z', step_seconds: 900 })
  })

  test('include who was there before the day began, or still is, and no one who had left or is to come', async () => {
    const choir = await addRoom('choir')
    await choir.addStays(['2026-11-10T10:00:00Z'])
    await choir.addStays(['2026-11-19T10:00:00Z', '2026-11-20T21:25:00Z'])
    await choir.addStays(['2026-11-19T10:00:00Z', '2026-11-20T21:10:00Z'])
    await choir.addStays(['21:30', '21:40'])
    const users = (await home()).online.points.map((point) => point.users)
    expect(users.slice(0, 3)).toEqual([2, 1, 1])
    expect(users.at(-1)).toBe(1)
  })

  test('are none, and no one the most, where no one came', async () => {
    const { online } = await home()
    expect(online).toMatchObject({ most: 0, most_at: null })
    expect(new Set(online.points.map(({ users }) => users))).toEqual(new Set([0]))
  })
})

describe('GET /api/admin/home: what goes on, and what needs a master', () => {
  test('names the rooms that are live, the fullest first, without their users', async () => {
    const [choir, circle, quiet, gone] = [
      await addRoom('choir'),
      await addRoom('circle'),
      await addRoom('quiet'),
      await addRoom('gone'),
    ]
    await choir.addStays(['20:00'])
    await circle.addStays(['20:00'])
    await circle.addStays(['20:10'])
    await circle.addMeeting(true)
    await quiet.addMeeting(false)
    await gone.addStays(['20:00'])
    await call(server, 'DELETE', `/admin/hosts/${gone.host.id}`, { as: master })
    await addRoom('empty').then((room) => room.addMeeting(true))
    const { rooms } = await home()
    expect(rooms).toMatchObject({ live: 3, meetings: 2, users: 3 })
    expect(rooms.busiest.map(({ host_name, users, has_meeting }) => [host_name, users, has_meeting])).toEqual([
      ['circle', 2, true],
      ['choir', 1, false],
      ['empty', 0, true],
    ])
    const { body } = await call(server, 'GET', '/admin/hosts', { as: master })
    const live = body.data.hosts.filter(({ is_live }: { is_live: boolean }) => is_live)
    expect(live.map(({ username }: { username: string }) => username).sort()).toEqual(['choir', 'circle', 'empty'])
    const one = await call(server, 'GET', `/admin/hosts/${quiet.host.id}`, { as: master })
    expect(one.body.data.is_live).toBe(false)
    expect(JSON.stringify(rooms)).not.toContain('circle 0')
  })

  test('counts renewals, Zoom accounts in trouble and recordings that could not be copied', async () => {
    const { db } = server.deps
    const [choir, circle, other] = [await addRoom('choir'), await addRoom('circle'), await addRoom('other')]
    const endIn = (id: string, days: number) =>
      db
        .updateTable('hosts')
        .set({ subscription_end_date: new Date(NOW + days * DAY) })
        .where('id', '=', id)
        .execute()
    await endIn(choir.host.id, 6)
    await endIn(circle.host.id, -6)
    await endIn(other.host.id, 8)
    const connect = ({ host }: typeof choir, reconnect_needed = false, warnings: string[] = []) =>
      db
        .insertInto('zoom_links')
        .values({
          host_id: host.id,
          zoom_user_id: 'z',
          zoom_account_id: 'a',
          email: host.email,
          access_token_ciphertext: '',
          refresh_token_ciphertext: '',
          access_expires_at: new Date(NOW),
          reconnect_needed,
          warnings: JSON.stringify(warnings.map((code) => ({ code, message: code }))),
        })
        .execute()
    await connect(choir)
    await connect(circle, true)
    await connect(other, false, ['basic_plan'])
    const record = ({ room_id }: typeof choir, zoom_file_id: string, recording: object) =>
      db
        .insertInto('recordings')
        .values({
          ...{ room_id, zoom_file_id, meeting_id: '1', meeting_uuid: zoom_file_id, topic: 'Evening' },
          ...{ started_at: new Date(NOW), status: 'completed', file_type: 'M4A', zoom_user_id: 'z', file_size: 1000 },
          ...recording,
        })
        .execute()
    await record(choir, 'failed', { archive_failures: 2 })
    await record(choir, 'too large', { file_size: 6 * 1024 ** 3 })
    await record(choir, 'waits its turn', {})
    await record(choir, 'kept', { archive_failures: 1, archived_path: 'a/b.m4a' })
    await record(choir, 'trashed', { archive_failures: 1, trashed_at: new Date(NOW) })

    expect(await home()).toMatchObject({
      renewals: { ending: 1, ended: 1 },
      zoom_in_trouble: 2,
      unarchived: { recordings: 2, hosts: 1 },
    })
    const { body } = await call(server, 'GET', `/admin/hosts/${choir.host.id}`, { as: master })
    expect(body.data.unarchived_recordings).toBe(2)
    const warnings = body.data.zoom_warnings.map(({ code }: { code: string }) => code)
    expect(warnings).toEqual(['archive_full'])
  })
})

describe("GET /api/admin/home: Zoom's errors", () => {
  test('are counted by the hour and kind, over the last day, and without what is no error', async () => {
    const { zoomErrors, db } = server.deps
    const hour = (before: number) => new Date(Math.floor(NOW / 3_600_000) * 3_600_000 - before * 3_600_000)
    await db
      .insertInto('zoom_errors')
      .values([
        { began_at: hour(23), kind: 'refused', times: 4 },
        { began_at: hour(24), kind: 'refused', times: 8 },
      ])
      .execute()
    for (const fault of ['unavailable', 'unavailable', 'rate_limit', 'not_found', 'busy', 'grant'] as const)
      zoomErrors.note(fault)
    await home()
    for (const fault of ['scope', 'unavailable'] as const) zoomErrors.note(fault)
    const { zoom_errors } = await home()
    expect(zoom_errors).toHaveLength(24)
    expect(zoom_errors[0]).toMatchObject({ at: hour(23).toISOString(), refused: 4, unanswered: 0 })
    expect(zoom_errors.at(-1)).toEqual({
      at: hour(0).toISOString(),
      unanswered: 3,
      limited: 1,
      refused: 1,
      disconnected: 1,
    })
    expect(zoom_errors.slice(1, -1).every(({ refused }) => refused === 0)).toBe(true)
  })

  test('stay counted while the database cannot be written', async () => {
    const { zoomErrors, db } = server.deps
    zoomErrors.note('refused')
    await sql`alter table zoom_errors rename to zoom_errors_away`.execute(db)
    await zoomErrors.flush()
    await sql`alter table zoom_errors_away rename to zoom_errors`.execute(db)
    expect((await home()).zoom_errors.at(-1)?.refused).toBe(1)
  })
})
