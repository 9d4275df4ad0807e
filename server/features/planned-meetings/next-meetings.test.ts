import { beforeEach, describe, expect, test, vi } from 'vitest'
import { eventually } from '../../../test/eventually.ts'
import {
  buildHost,
  buildPhone,
  buildRoomUser,
  call,
  phoneLogin,
  type TestHost,
  type TestPhone,
} from '../../../test/factories/accounts.ts'
import { planMeeting } from '../../../test/factories/planned-meetings.ts'
import { setup } from '../../../test/servers/setup.ts'

let now = Date.parse('2026-11-28T12:00:00Z')
const server = await setup({ now: () => now })
let host: TestHost
let phone: TestPhone
beforeEach(async () => {
  now = Date.parse('2026-11-28T12:00:00Z')
  host = await buildHost(server)
  phone = await buildPhone(server, host, await buildRoomUser(server, host))
})

const TUESDAY = { starts_at: '2026-12-01T18:30:00.000Z', ends_at: '2026-12-01T20:00:00.000Z' }
const summary = async () => (await call(server, 'GET', '/mobile/room', { as: phone })).body.data
const remove = (id: string) => call(server, 'DELETE', `/host/planned-meetings/${id}`, { as: host })

describe('a phone', () => {
  test('gets the next meeting when it signs in, and when it opens the app', async () => {
    const user = await buildRoomUser(server, host)
    await planMeeting(server, host)
    expect((await phoneLogin(server, host, user)).body.data.room.next_meeting).toEqual(TUESDAY)
    expect((await call(server, 'GET', '/mobile/me', { as: phone })).body.data.room.next_meeting).toEqual(TUESDAY)
  })

  test('gets none of another room, and none where none is planned', async () => {
    await planMeeting(server, await buildHost(server))
    expect(await summary()).not.toHaveProperty('next_meeting')
    expect((await call(server, 'GET', '/mobile/me', { as: phone })).body.data.room).not.toHaveProperty('next_meeting')
  })

  test('that polls the room sees a change within half a minute, and the database is asked twice a minute', async () => {
    const { id } = await planMeeting(server, host)
    expect((await summary()).next_meeting).toEqual(TUESDAY)
    await remove(id)
    const queries = vi.spyOn(server.deps.db, 'selectFrom')
    const asked = () => queries.mock.calls.filter(([table]) => String(table) === 'planned_meetings').length
    now += 29_999
    expect((await summary()).next_meeting).toEqual(TUESDAY)
    expect(asked()).toBe(0)
    now += 1
    await Promise.all([summary(), summary(), summary()])
    expect(asked()).toBe(1)
    await eventually(async () => expect(await summary()).not.toHaveProperty('next_meeting'))
    queries.mockRestore()
  })

  test('never sees a meeting that is over', async () => {
    await planMeeting(server, host, { first_day: '2026-11-28', weekdays: ['SA', 'SU'], time: '13:01', minutes: 5 })
    expect((await summary()).next_meeting.starts_at).toBe('2026-11-28T12:01:00.000Z')
    for (let minute = 0; minute < 6; minute++) {
      now += 60_000
      await summary()
    }
    expect((await summary()).next_meeting.starts_at).toBe('2026-11-29T12:01:00.000Z')
  })

  test('keeps what it saw while the database does not answer', async () => {
    await planMeeting(server, host)
    await summary()
    const { selectFrom } = server.deps.db
    const broken = vi.spyOn(server.deps.db, 'selectFrom').mockImplementation(((table: never) => {
      if (String(table) === 'planned_meetings') throw new Error('The database is away')
      return selectFrom.call(server.deps.db, table)
    }) as typeof selectFrom)
    now += 30_000
    await summary()
    await eventually(() => expect(broken.mock.calls.some(([table]) => String(table) === 'planned_meetings')).toBe(true))
    expect((await summary()).next_meeting).toEqual(TUESDAY)
    broken.mockRestore()
  })
})
