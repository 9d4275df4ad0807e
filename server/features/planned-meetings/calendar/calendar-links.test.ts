import { pino } from 'pino'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  buildAssistant,
  buildHost,
  buildMaster,
  buildPhone,
  buildRoomUser,
  call,
  openSession,
  type SignedIn,
  type TestHost,
} from '../../../../test/factories/accounts.ts'
import { makeCalendarLink, planMeeting } from '../../../../test/factories/planned-meetings.ts'
import { setup } from '../../../../test/servers/setup.ts'

const START = Date.parse('2026-11-28T12:00:00Z')
let now = START
const lines: string[] = []
const log = pino({ level: 'trace' }, { write: (line) => lines.push(line) })
const server = await setup({ log, now: () => now })
let host: TestHost
beforeEach(async () => {
  now = START
  host = await buildHost(server, { room_name: 'Morning choir' })
})

const LINK = '/host/calendar-link'
const ANYWHERE = '192.0.2.1'

async function read(path: string, from = ANYWHERE) {
  const { statusCode, headers, body } = await server.app.inject({
    url: path,
    headers: { host: 'localhost:3000' },
    remoteAddress: from,
  })
  const { date: _, 'x-request-id': __, ...known } = headers
  return { status: statusCode, headers: known, body }
}
const statusOf = async (path: string) => (await read(path)).status
const madeAt = async () =>
  (await call(server, 'GET', '/host/planned-meetings', { as: host })).body.data.calendar_link_made_at
const acts = async () =>
  (
    await server.deps.db
      .selectFrom('audit')
      .select(['action', 'actor_role', 'target', 'before', 'after'])
      .where('host_id', '=', host.id)
      .where('action', 'like', 'calendar%')
      .orderBy('seq')
      .execute()
  ).map(({ action, actor_role, ...details }) => [action, actor_role, JSON.stringify(details)])

const setSubscription = (dates: { subscription_end_date?: Date; subscription_cancelled_at?: Date | null }) =>
  server.deps.db.updateTable('hosts').set(dates).where('id', '=', host.id).execute()

describe('POST /api/host/calendar-link', () => {
  test('makes a link that anyone can read, without users, passcode or Host ID', async () => {
    await planMeeting(server, host)
    const user = await buildRoomUser(server, host)
    const { url, path, token } = await makeCalendarLink(server, host)
    expect(url).toBe(`http://localhost:3000/api/calendar/${token}.ics`)
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    const { status, headers, body } = await read(path)
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'text/calendar; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    expect(body).toContain('\r\nX-WR-CALNAME:Morning choir\r\n')
    expect(body).toContain('\r\nDTSTART;TZID=Europe/Berlin:20261201T193000\r\n')
    for (const secret of [user.username, host.username, host.user_id]) expect(body).not.toContain(secret)
  })

  test('replaces the link that was made before; the token is stored nowhere', async () => {
    const first = await makeCalendarLink(server, host)
    now += 60_000
    const second = await makeCalendarLink(server, host)
    expect([await statusOf(first.path), await statusOf(second.path)]).toEqual([404, 200])
    expect(await madeAt()).toBe('2026-11-28T12:01:00.000Z')
    const rows = await server.deps.db.selectFrom('rooms').selectAll().execute()
    expect(JSON.stringify([rows, await acts()])).not.toContain(second.token)
    expect(await acts()).toEqual(
      Array(2).fill(['calendar_link_made', 'host', '{"target":null,"before":null,"after":null}']),
    )
  })

  test('is for the host and its managers alone, each for the own room', async () => {
    const manager = await buildAssistant(server, host, 'manager')
    const { path } = await makeCalendarLink(server, manager)
    const moderator = await buildAssistant(server, host, 'moderator')
    const phone = await buildPhone(server, host, await buildRoomUser(server, host))
    const status = async (method: 'POST' | 'DELETE', as?: SignedIn) =>
      (await call(server, method, LINK, as && { as })).status
    for (const method of ['POST', 'DELETE'] as const) {
      expect(await status(method, moderator)).toBe(403)
      expect(await status(method, phone)).toBe(403)
      expect(await status(method, await buildMaster(server))).toBe(403)
      expect(await status(method)).toBe(401)
      expect(await status(method, await buildHost(server))).toBe(200)
    }
    expect(await statusOf(path)).toBe(200)
    expect((await acts()).map(([action, role]) => [action, role])).toEqual([['calendar_link_made', 'assistant']])
  })

  test('makes at most twenty a minute', async () => {
    for (let count = 0; count < 20; count++) await makeCalendarLink(server, host)
    expect(await call(server, 'POST', LINK, { as: host })).toMatchObject({
      status: 429,
      body: { code: 'too_many', message: 'Too many links were made. Please wait a moment and try again.' },
    })
  })

  test('makes no second link for a call that is repeated with its key', async () => {
    const headers = { 'idempotency-key': 'one' }
    expect((await call(server, 'POST', LINK, { as: host, headers })).status).toBe(200)
    expect((await call(server, 'POST', LINK, { as: host, headers })).body.code).toBe('conflict')
    expect(await acts()).toHaveLength(1)
  })
})

describe('DELETE /api/host/calendar-link', () => {
  test('ends the link, and succeeds where there is none', async () => {
    const { path } = await makeCalendarLink(server, host)
    for (let count = 0; count < 2; count++)
      expect(await call(server, 'DELETE', LINK, { as: host })).toMatchObject({
        status: 200,
        body: { message: 'Calendar link removed' },
      })
    expect([await statusOf(path), await madeAt()]).toEqual([404, null])
    expect((await acts()).map(([action]) => action)).toEqual(['calendar_link_made', 'calendar_link_removed'])
  })
})

describe('GET /api/calendar/:token.ics', () => {
  test('shows what is planned now', async () => {
    const { path } = await makeCalendarLink(server, host)
    expect((await read(path)).body).not.toContain('VEVENT')
    const { id } = await planMeeting(server, host)
    expect((await read(path)).body).toContain(`UID:${id}`)
    await call(server, 'DELETE', `/host/planned-meetings/${id}`, { as: host })
    expect((await read(path)).body).not.toContain('VEVENT')
  })

  test('answers for a stopped room', async () => {
    const { path } = await makeCalendarLink(server, host)
    await call(server, 'POST', '/host/profile/stop', { as: host })
    expect(await statusOf(path)).toBe(200)
  })

  test('answers a link that does not work like one that never did', async () => {
    const { path } = await makeCalendarLink(server, host)
    const unknown = await read(`/api/calendar/${'A'.repeat(43)}.ics`)
    expect(unknown).toMatchObject({ status: 404, headers: { 'cache-control': 'no-store' } })
    expect(JSON.parse(unknown.body)).toEqual({ success: false, message: 'Calendar not found', code: 'not_found' })
    const { subscription_end_date } = await server.deps.db
      .selectFrom('hosts')
      .select('subscription_end_date')
      .where('id', '=', host.id)
      .executeTakeFirstOrThrow()
    await setSubscription({ subscription_end_date: new Date(now - 1) })
    expect(await read(path)).toEqual(unknown)
    await setSubscription({ subscription_end_date: subscription_end_date ?? new Date(now + 1) })
    expect(await statusOf(path)).toBe(200)
    await setSubscription({ subscription_cancelled_at: new Date(now) })
    expect(await read(path)).toEqual(unknown)
    await setSubscription({ subscription_cancelled_at: null })
    const master = await buildMaster(server)
    await call(server, 'DELETE', `/admin/hosts/${host.id}`, { as: master })
    expect(await read(path)).toEqual(unknown)
    await call(server, 'POST', `/admin/hosts/${host.id}/restore`, { as: master })
    expect(await statusOf(path)).toBe(200)
    host.token = await openSession(server, host.id)
    await call(server, 'DELETE', LINK, { as: host })
    expect(await read(path)).toEqual(unknown)
  })

  test.each(['.ics', `${'A'.repeat(101)}.ics`, 'A', '%00.ics', "'.ics", '%E2%82.ics'])('refuses %s', async (name) => {
    expect([400, 404, 422]).toContain(await statusOf(`/api/calendar/${name}`))
  })

  test('answers an address 120 times in a row, and holds up no other', async () => {
    const { path } = await makeCalendarLink(server, host)
    for (let count = 0; count < 120; count++) expect((await read(path, '203.0.113.7')).status).toBe(200)
    expect(await read(`${path.slice(0, -6)}xx.ics`, '203.0.113.7')).toMatchObject({
      status: 429,
      headers: { 'retry-after': '1' },
    })
    expect((await read(path, '198.51.100.4')).status).toBe(200)
    now += 500
    expect((await read(path, '203.0.113.7')).status).toBe(200)
  })

  test('leaves its token in no log, whatever goes wrong', async () => {
    const { path, token } = await makeCalendarLink(server, host)
    lines.length = 0
    expect(await statusOf(path)).toBe(200)
    await server.deps.db.schema.alterTable('planned_meetings').renameTo('planned_elsewhere').execute()
    try {
      expect(await statusOf(path)).toBe(500)
    } finally {
      await server.deps.db.schema.alterTable('planned_elsewhere').renameTo('planned_meetings').execute()
    }
    await call(server, 'DELETE', LINK, { as: host })
    expect(await statusOf(path)).toBe(404)
    const logged = lines.join('')
    expect(logged).toContain('planned_meetings')
    expect(logged).toContain('/api/calendar/:token.ics')
    expect(logged).not.toContain(token)
  })
})
