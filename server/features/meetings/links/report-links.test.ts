import { beforeEach, describe, expect, test, vi } from 'vitest'
import { SharedReport, SharedReportAnswer } from '../../../../shared/report-links.ts'
import {
  buildAssistant,
  buildHost,
  buildMaster,
  buildPhone,
  buildRoomUser,
  call,
  type SignedIn,
  type TestHost,
} from '../../../../test/factories/accounts.ts'
import { setup } from '../../../../test/servers/setup.ts'
import { clearReportLinks } from './jobs.ts'

const DAY = 86_400_000
const NOW = Date.parse('2026-11-21T18:00:00Z')
let now = NOW
const server = await setup({ now: () => now })
const { db } = server.deps
const INVALID = { status: 400, body: { code: 'link_invalid', message: 'This link does not work, or has ended.' } }
let host: TestHost
let room_id: string

beforeEach(async () => {
  now = NOW
  host = await buildHost(server, { room_name: 'Morning room' })
  const room = await db.selectFrom('rooms').select('id').where('host_id', '=', host.id).executeTakeFirstOrThrow()
  room_id = room.id
  await meet('past', false)
})

async function meet(meeting_uuid: string, is_live: boolean) {
  const began_at = new Date(NOW - 3 * 3_600_000)
  const live_reported_at = new Date(NOW - 2 * 3_600_000)
  await db
    .insertInto('sittings')
    .values({ room_id, meeting_uuid, meeting_id: '1', began_at, is_live, live_reported_at, note: 'My own words' })
    .execute()
}

const make = (body: unknown = { days: 7 }, as: SignedIn = host, meeting = 'past') =>
  call(server, 'POST', `/host/meetings/${meeting}/links`, { as, body })
const tokenOf = ({ body }: Awaited<ReturnType<typeof make>>): string => body.data.url.split('#')[1]
const open = (token: unknown, from?: string) => call(server, 'POST', '/shared-report', { body: { token }, from })
const end = (id: string, as: SignedIn = host) => call(server, 'DELETE', `/host/report-links/${id}`, { as })
const list = async () => (await call(server, 'GET', '/host/meetings/past/links', { as: host })).body.data.links

describe('a link to a report', () => {
  test('shows the report with names alone, and the note only if it was chosen', async () => {
    const user = await buildRoomUser(server, host, { username: 'amina', reference: 'Second soprano' })
    const times = { joined_at: new Date(NOW - 3 * 3_600_000), left_at: new Date(NOW - 2.5 * 3_600_000) }
    await db
      .insertInto('stays')
      .values({ room_id, room_user_id: user.id, user_id: user.user_id, username: 'amina', ...times })
      .execute()
    const hand = { room_id, meeting_uuid: 'past', room_user_id: user.id, raised_at: times.joined_at }
    await db
      .insertInto('raised_hands')
      .values({ ...hand, ended_at: times.left_at })
      .execute()
    const answer = await open(tokenOf(await make()))
    expect(answer.status).toBe(200)
    const report = SharedReportAnswer.parse(answer.body).data
    expect(report).toMatchObject({ room_name: 'Morning room', meeting: { users: 1, note: null } })
    expect(report.hands).toEqual([
      { username: 'amina', raised_at: times.joined_at.toISOString(), waited_seconds: 1800 },
    ])
    const text = JSON.stringify(answer.body)
    for (const secret of [user.id, user.user_id, 'soprano', 'My own words', 'past', host.username, host.email, 'acts'])
      expect(text).not.toContain(secret)
    const withNote = await open(tokenOf(await make({ days: 1, with_note: true })))
    expect(withNote.body.data.meeting.note).toBe('My own words')
  })

  test('is not kept by the server, and the audit names who made and ended it', async () => {
    const manager = await buildAssistant(server, host, 'manager')
    const made = await make({ days: 30 }, manager)
    expect(made.body.data.link.made_by).toBe(
      (await db.selectFrom('assistants').select('name').executeTakeFirst())?.name,
    )
    const rows = JSON.stringify(await db.selectFrom('report_links').selectAll().execute())
    expect(rows).not.toContain(tokenOf(made))
    expect(await list()).toHaveLength(1)
    expect((await end(made.body.data.link.id)).status).toBe(200)
    expect(await open(tokenOf(made))).toMatchObject(INVALID)
    expect(await list()).toEqual([])
    const audit = await db
      .selectFrom('audit')
      .select(['action', 'actor_id', 'before', 'after'])
      .where('host_id', '=', host.id)
      .where('action', 'like', 'report_link%')
      .orderBy('seq')
      .execute()
    expect(audit.map(({ action, actor_id }) => [action, actor_id])).toEqual([
      ['report_link_made', manager.id],
      ['report_link_ended', host.id],
    ])
    const meeting = new Date(NOW - 3 * 3_600_000).toISOString()
    const about = { meeting, with_note: false, expires_at: new Date(NOW + 30 * DAY).toISOString() }
    expect([audit[0]?.after, audit[1]?.before]).toMatchObject([about, about])
  })

  test('builds the report once for all who read it within a minute, and shows none after its end', async () => {
    const made = await make({ days: 7, with_note: true })
    const builds = vi.spyOn(SharedReport, 'parse')
    const read = () => open(tokenOf(made), '192.0.2.50')
    const answers = await Promise.all(Array.from({ length: 50 }, read))
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.data?.meeting.note}`))).toEqual(
      new Set(['200 My own words']),
    )
    expect(builds).toHaveBeenCalledTimes(1)
    await db.updateTable('sittings').set({ note: 'Further words' }).where('room_id', '=', room_id).execute()
    now += 60_001
    expect((await read()).body.data.meeting.note).toBe('Further words')
    expect(builds).toHaveBeenCalledTimes(2)
    await end(made.body.data.link.id)
    expect(await read()).toMatchObject(INVALID)
    builds.mockRestore()
  })

  test('tries again for the next reader after the report could not be built', async () => {
    const token = tokenOf(await make())
    const broken = vi.spyOn(SharedReport, 'parse').mockImplementationOnce(() => {
      throw new Error('Not built')
    })
    expect((await open(token)).status).toBe(500)
    expect((await open(token)).status).toBe(200)
    broken.mockRestore()
  })

  test('ends by its time', async () => {
    const token = tokenOf(await make({ days: 1 }))
    now += DAY - 1
    expect((await open(token)).status).toBe(200)
    now += 1
    expect(await open(token)).toMatchObject(INVALID)
    now += 1
    expect(await clearReportLinks.run(server.deps)).toBe(1)
  })

  test('ends with the meeting, the subscription and the host', async () => {
    const ofMeeting = tokenOf(await make())
    await db.deleteFrom('sittings').where('room_id', '=', room_id).execute()
    expect(await open(ofMeeting)).toMatchObject(INVALID)

    await meet('another', false)
    const ofHost = tokenOf(await make({ days: 7 }, host, 'another'))
    expect((await open(ofHost)).status).toBe(200)
    const setDeleted = (deleted_at: Date | null) =>
      db.updateTable('hosts').set({ deleted_at }).where('id', '=', host.id).execute()
    await setDeleted(new Date(now))
    expect(await open(ofHost)).toMatchObject(INVALID)
    await setDeleted(null)
    expect((await open(ofHost)).status).toBe(200)
    await call(server, 'POST', `/admin/hosts/${host.id}/cancel-subscription`, { as: await buildMaster(server) })
    expect(await open(ofHost)).toMatchObject(INVALID)
  })

  test('is not made of a running meeting, of another room, or beyond 20', async () => {
    await meet('running', true)
    expect(await make({ days: 7 }, host, 'running')).toMatchObject({ status: 409, body: { code: 'conflict' } })
    const other = await buildHost(server)
    expect((await make({ days: 7 }, other)).status).toBe(404)
    const { id } = (await make()).body.data.link
    expect((await end(id, other)).status).toBe(404)
    expect((await end('no-uuid')).status).toBe(404)
    const links = Array.from({ length: 19 }, (_, index) => ({
      ...{ room_id, meeting_uuid: 'past', token_hash: `${room_id} ${index}`, with_note: false, maker_id: host.id },
      ...{ created_at: new Date(now), expires_at: new Date(now + DAY) },
    }))
    await db.insertInto('report_links').values(links).execute()
    expect(await make()).toMatchObject({ status: 409, body: { code: 'conflict' } })
    await end(id)
    expect((await make()).status).toBe(200)
  })

  test('is made and ended by the host and a manager alone', async () => {
    const { id } = (await make()).body.data.link
    const phone = await buildPhone(server, host, await buildRoomUser(server, host))
    for (const as of [await buildAssistant(server, host, 'moderator'), await buildMaster(server), phone]) {
      expect((await make({ days: 7 }, as)).status).toBe(403)
      expect((await end(id, as)).status).toBe(403)
    }
    expect(await list()).toHaveLength(1)
  })

  test.each([
    ['nothing', {}, 'days'],
    ['two days', { days: 2 }, 'days'],
    ['a text', { days: '7' }, 'days'],
    ['a note that is no yes or no', { days: 7, with_note: 'yes' }, 'with_note'],
  ])('is refused with %s', async (_what, body, path) => {
    expect(await make(body)).toMatchObject({ status: 422, body: { errors: [{ path }] } })
    expect(await list()).toEqual([])
  })
})

describe('POST /api/shared-report', () => {
  test.each([[undefined], [7], [''], ['x'.repeat(129)], [{}]])('refuses the token %s', async (token) => {
    expect(await open(token)).toMatchObject({ status: 422, body: { errors: [{ path: 'token' }] } })
  })

  test('says the same of an unknown link, sixty times a minute, and is kept by no cache', async () => {
    const answer = await server.app.inject({
      ...{ method: 'POST', url: '/api/shared-report', payload: { token: 'unknown' } },
      headers: { host: 'localhost:3000' },
    })
    expect(answer.headers['cache-control']).toContain('no-store')
    let refused = await open('unknown')
    expect(refused).toMatchObject(INVALID)
    for (let times = 0; times < 60 && refused.status !== 429; times++) refused = await open('unknown')
    expect(refused.status).toBe(429)
  })
})
