import { beforeEach, describe, expect, test } from 'vitest'
import { DAY_MS } from '../../../shared/dates.ts'
import { buildHost, call, openSession, type TestHost } from '../../../test/factories/accounts.ts'
import { planMeeting, TUESDAYS } from '../../../test/factories/planned-meetings.ts'
import { setup } from '../../../test/servers/setup.ts'
import { clearPlannedMeetings } from './jobs.ts'

let now = Date.parse('2026-11-28T12:00:00Z')
const server = await setup({ now: () => now })
let host: TestHost
beforeEach(async () => {
  now = Date.parse('2026-11-28T12:00:00Z')
  host = await buildHost(server)
})

const PATH = '/host/planned-meetings'
const add = (change: object, headers = {}) =>
  call(server, 'POST', PATH, { as: host, body: { ...TUESDAYS, ...change }, headers })
const list = async (as: { token: string } = host) => (await call(server, 'GET', PATH, { as })).body.data
const edit = (id: string, body: object) =>
  call(server, 'PUT', `${PATH}/${id}`, { as: host, body: { ...TUESDAYS, ...body } })
const remove = (id: string, body?: object) => call(server, 'DELETE', `${PATH}/${id}`, { as: host, body })
const acts = async () =>
  (
    await server.deps.db
      .selectFrom('audit')
      .select(['action', 'before', 'after'])
      .where('host_id', '=', host.id)
      .where('action', 'like', '%plan%')
      .orderBy('seq')
      .execute()
  ).map(({ action, before, after }) => [action, before, after])

describe('POST /api/host/planned-meetings', () => {
  test('plans a weekly meeting, which the list and the dashboard show', async () => {
    await add({ first_day: '2027-01-04', weekdays: ['WE', 'MO'], time: '08:00' })
    const { status, body } = await add({})
    expect([status, body.message]).toEqual([200, 'Meeting planned'])
    const next = { starts_at: '2026-12-01T18:30:00.000Z', ends_at: '2026-12-01T20:00:00.000Z' }
    expect(body.data.planned_meeting).toMatchObject({ ...TUESDAYS, next, moved: null })
    const { planned_meetings, next_meeting } = await list()
    expect(planned_meetings).toMatchObject([{ time: '19:30' }, { time: '08:00', weekdays: ['MO', 'WE'] }])
    expect(next_meeting).toEqual(next)
    expect((await call(server, 'GET', '/host/dashboard', { as: host })).body.data.next_meeting).toEqual(next)
    expect(await list(await buildHost(server))).toMatchObject({ planned_meetings: [], next_meeting: null })
  })

  test.each([
    [{ time_zone: 'Europe/Atlantis' }, 'time_zone', 'This is not a time zone'],
    [{ time_zone: '+02:00' }, 'time_zone', 'This is not a time zone'],
    [{ time: '24:00' }, 'time', 'Enter a time such as 19:30'],
    [{ time: '7:30' }, 'time', 'Enter a time such as 19:30'],
    [{ first_day: '2026-02-30' }, 'first_day', 'This is not a day'],
    [{ minutes: 4 }, 'minutes', 'Choose a length from 5 minutes to 24 hours'],
    [{ minutes: 1441 }, 'minutes', 'Choose a length from 5 minutes to 24 hours'],
    [{ minutes: 7.5 }, 'minutes', 'Choose a length from 5 minutes to 24 hours'],
    [{ last_day: '2026-11-30' }, 'last_day', 'The last day is before the first'],
    [{ weekdays: [], last_day: '2026-12-02' }, 'last_day', 'A meeting that takes place once has no last day'],
    [
      { first_day: '2026-12-02', last_day: '2026-12-07' },
      'last_day',
      'None of the chosen days of the week comes before the last day',
    ],
    [{ weekdays: [], first_day: '2026-11-27' }, 'first_day', 'This time has passed. Choose a later day or time'],
    [
      { first_day: '2026-11-01', last_day: '2026-11-27' },
      'last_day',
      'This time has passed. Choose a later day or time',
    ],
    [{ weekdays: ['TUE'] }, 'weekdays.0', expect.any(String)],
  ])('refuses %j, and keeps nothing', async (wrong, path, msg) => {
    expect(await add(wrong)).toMatchObject({ status: 422, body: { code: 'invalid_input', errors: [{ path, msg }] } })
    expect((await list()).planned_meetings).toEqual([])
  })

  test('refuses the twenty-first, also of two that come together', async () => {
    for (let count = 1; count < 20; count++) await planMeeting(server, host)
    const statuses = (await Promise.all([add({}), add({})])).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([200, 409])
    expect((await add({})).body).toMatchObject({
      code: 'conflict',
      message: 'A room has at most 20 planned meetings. Remove one first.',
    })
    expect((await list()).planned_meetings).toHaveLength(20)
  })

  test('plans one meeting if the call is repeated with its key', async () => {
    const key = { 'idempotency-key': 'one' }
    const [first, again] = [await add({}, key), await add({}, key)]
    expect(again.body).toEqual(first.body)
    expect((await list()).planned_meetings).toHaveLength(1)
  })
})

describe('PUT /api/host/planned-meetings/:id', () => {
  test('replaces the times, and notes what has changed', async () => {
    const { id } = await planMeeting(server, host)
    expect((await edit(id, { time: '20:00' })).body.data.planned_meeting).toMatchObject({
      time: '20:00',
      next: { starts_at: '2026-12-01T19:00:00.000Z' },
    })
    await edit(id, { time: '20:00' })
    expect(await acts()).toEqual([
      ['meeting_planned', null, { ...TUESDAYS, weekdays: 'TU' }],
      ['planned_meeting_edited', { time: '19:30' }, { time: '20:00' }],
    ])
  })

  test('refuses an edit of what another console has changed since, but for one that holds already', async () => {
    const { id, updated_at } = await planMeeting(server, host)
    const seen = { expect: { updated_at } }
    expect((await edit(id, { minutes: 60, ...seen })).status).toBe(200)
    expect(await edit(id, { minutes: 45, ...seen })).toMatchObject({
      status: 409,
      body: {
        code: 'state_changed',
        message: 'Someone else has changed this meeting in the meantime. Nothing was saved.',
      },
    })
    expect((await edit(id, { minutes: 60, ...seen })).status).toBe(200)
    expect((await list()).planned_meetings).toMatchObject([{ minutes: 60 }])
  })

  test('refuses wrong times, and the meeting of another room', async () => {
    const { id } = await planMeeting(server, host)
    expect((await edit(id, { last_day: '2026-11-30' })).status).toBe(422)
    expect((await edit(id, { weekdays: [], first_day: '2026-11-27' })).status).toBe(422)
    const others = await planMeeting(server, await buildHost(server))
    for (const unknown of [others.id, 'x']) expect((await edit(unknown, {})).status).toBe(404)
    expect((await list()).planned_meetings).toMatchObject([TUESDAYS])
  })
})

describe('DELETE /api/host/planned-meetings/:id', () => {
  test('removes it, unless another console has changed it since', async () => {
    const { id, updated_at } = await planMeeting(server, host)
    await edit(id, { minutes: 60 })
    expect((await remove(id, { expect: { updated_at } })).body.code).toBe('state_changed')
    expect((await remove(id)).status).toBe(200)
    expect((await remove(id)).status).toBe(404)
    expect(await list()).toMatchObject({ planned_meetings: [], next_meeting: null })
    expect((await acts()).at(-1)).toEqual([
      'planned_meeting_removed',
      { ...TUESDAYS, minutes: 60, weekdays: 'TU' },
      null,
    ])
  })
})

test('one that is over is listed last, and goes after a week', async () => {
  await planMeeting(server, host, { weekdays: [] })
  await planMeeting(server, host)
  now = Date.parse('2026-12-01T20:00:00Z')
  host.token = await openSession(server, host.id)
  expect((await list()).planned_meetings).toMatchObject([{ weekdays: ['TU'] }, { weekdays: [], next: null }])
  now += 7 * DAY_MS
  expect(await clearPlannedMeetings.run(server.deps)).toBe(0)
  now += 1
  expect(await clearPlannedMeetings.run(server.deps)).toBe(1)
  host.token = await openSession(server, host.id)
  expect((await list()).planned_meetings).toHaveLength(1)
})
