import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { PlanMeeting } from '../../../shared/planned-meetings.ts'
import {
  buildAssistant,
  buildHost,
  buildRoomUser,
  call,
  openSession,
  type TestHost,
} from '../../../test/factories/accounts.ts'
import { planMeeting, TUESDAYS } from '../../../test/factories/planned-meetings.ts'
import { buildZoomHost, setupWithZoom } from '../../../test/zoom/emulated-zoom.ts'
import { deleteMeeting } from '../../zoom/calls.ts'
import { ZoomError } from '../../zoom/errors.ts'
import { mailAad } from '../mail/mail-queue.ts'
import { writeMail } from '../mail/write-mail.ts'
import { checkMeetings } from './check-meetings.ts'

const MINUTE = 60_000
/** The meeting of `TUESDAYS`, in winter time. */
const START = Date.parse('2026-12-01T18:30:00Z')
let now = START
const server = await setupWithZoom({ now: () => now })
let host: TestHost
beforeEach(async () => {
  now = Date.parse('2026-11-30T12:00:00Z')
  host = await buildZoomHost(server)
  await buildRoomUser(server, host)
})

/** Mail is off at the server itself. */
const deps = () => ({ ...server.deps, config: { ...server.deps.config, SMTP_URL: 'smtp://127.0.0.1:1' } })
/** Runs the job as two nodes do. Returns how many checks they made. */
const run = async () => {
  const [one = 0, other = 0] = await Promise.all([checkMeetings.run(deps()), checkMeetings.run(deps())])
  return one + other
}
const runAt = (time: number) => {
  now = time
  return run()
}
/** Sessions end by themselves on the way from one meeting to another. */
const shown = async (of = host) => {
  const as = { token: await openSession(server, of.id) }
  return (await call(server, 'GET', '/host/planned-meetings/check', { as })).body.data.check
}
const titles = async () => (await shown())?.problems.map(({ title }: { title: string }) => title)
const setHost = (set: object) => server.deps.db.updateTable('hosts').set(set).where('id', '=', host.id).execute()
const mails = async () =>
  (await server.deps.db.selectFrom('mails').selectAll().orderBy('created_at').execute()).map((mail) => ({
    address: mail.address,
    ...JSON.parse(server.deps.secrets.decrypt(mail.content_ciphertext ?? '', mailAad(mail.id))),
  }))
const plan = (change: Partial<PlanMeeting> = {}, as: TestHost = host) => planMeeting(server, as, change)
const fault = (body: object) => server.control('/faults', { match: { path: '/v2/meetings/*' }, ...body })
const callsOfZoom = async () => ((await server.control('/state')).faults as { hits: number }[])[0]?.hits

const STOPPED = 'The room is stopped'
const ENDS_EARLY = 'The subscription ends before the next planned meeting does'
const subscribeUntil = (time: number) => setHost({ subscription_end_date: new Date(time) })
const removeUsers = () => server.deps.db.deleteFrom('room_users').execute()
const later = START + 90 * 24 * 60 * MINUTE

describe('the check of a planned meeting', () => {
  test('is made 15 minutes before it begins, once, with one call to Zoom, and says that all is well', async () => {
    await plan()
    await fault({ kind: 'slow', times: 0 })
    expect(await run()).toBe(0)
    expect(await runAt(START - 15 * MINUTE - 1)).toBe(0)
    expect(await shown()).toBeNull()
    expect(await runAt(START - 15 * MINUTE)).toBe(1)
    const check = { starts_at: '2026-12-01T18:30:00.000Z', ends_at: '2026-12-01T20:00:00.000Z' }
    expect(await shown()).toEqual({ ...check, checked_at: '2026-12-01T18:15:00.000Z', problems: [] })
    expect(await runAt(START - 1)).toBe(0)
    expect(await callsOfZoom()).toBe(1)
    expect(await mails()).toEqual([])
    now = START
    expect(await shown()).toBeNull()
  })

  test('finds what is wrong, writes to the host once, and checks again each minute until it is mended', async () => {
    await plan()
    await subscribeUntil(START + MINUTE)
    await run()
    expect(await runAt(START - 15 * MINUTE)).toBe(1)
    expect(await titles()).toEqual([ENDS_EARLY])
    expect(await runAt(START - 14 * MINUTE)).toBe(1)
    expect(await mails()).toMatchObject([
      {
        address: host.email,
        kind: 'meeting_not_ready',
        starts_at: '2026-12-01T18:30:00.000Z',
        time_zone: 'Europe/Berlin',
        problems: [{ title: ENDS_EARLY }],
      },
    ])
    await subscribeUntil(later)
    expect(await titles()).toEqual([])
    expect(await runAt(START - 13 * MINUTE)).toBe(1)
    expect(await shown()).toMatchObject({ checked_at: '2026-12-01T18:17:00.000Z' })
    expect(await runAt(START - 12 * MINUTE)).toBe(0)
    expect(await mails()).toHaveLength(1)
  })

  test('writes nothing to a host who stopped the room, or whose subscription is over, and shows both', async () => {
    const cancelled = { subscription_cancelled_at: new Date(now) }
    await plan()
    await setHost({ is_active: false })
    await run()
    expect(await runAt(START - 15 * MINUTE)).toBe(1)
    expect(await titles()).toEqual([STOPPED])
    await setHost({ is_active: true, subscription_end_date: new Date(now) })
    expect(await runAt(START - 14 * MINUTE)).toBe(1)
    expect(await titles()).toEqual(['The subscription is expired'])
    await setHost(cancelled)
    expect(await runAt(START - 13 * MINUTE)).toBe(1)
    expect(await titles()).toEqual(['The subscription is cancelled'])
    expect(await mails()).toEqual([])
    await setHost({
      is_active: false,
      subscription_cancelled_at: null,
      subscription_end_date: new Date(START + MINUTE),
    })
    expect(await runAt(START - 12 * MINUTE)).toBe(1)
    expect(await mails()).toMatchObject([{ problems: [{ title: STOPPED }, { title: ENDS_EARLY }] }])
  })

  test('lets a full storage pass, which keeps no meeting from being held', async () => {
    await plan()
    await setHost({ storage_limit_gb: 1, storage_used_bytes: 1024 ** 3 })
    await run()
    expect(await runAt(START - 15 * MINUTE)).toBe(1)
    expect(await titles()).toEqual([])
    expect(await mails()).toEqual([])
  })

  test('is made late where no server ran, unless the meeting has begun', async () => {
    await plan()
    await removeUsers()
    expect(await runAt(START - 1)).toBe(1)
    expect(await titles()).toEqual(['No users yet'])
    expect(await runAt(START + 1)).toBe(0)
    const week = 7 * 24 * 60 * MINUTE
    expect(await runAt(START + week)).toBe(0)
    expect(await runAt(START + 2 * week - 2 * MINUTE)).toBe(1)
    expect((await mails()).map(({ starts_at }) => starts_at)).toEqual([
      '2026-12-01T18:30:00.000Z',
      '2026-12-15T18:30:00.000Z',
    ])
  })

  test('is made soon for a meeting that is planned within these minutes', async () => {
    await run()
    now = START - 5 * MINUTE
    host.token = await openSession(server, host.id)
    await plan({ weekdays: [] })
    expect(await run()).toBe(1)
    expect(await shown()).toMatchObject({ checked_at: '2026-12-01T18:25:00.000Z' })
  })

  test('keeps its hour where the clocks change', async () => {
    await plan({ first_day: '2027-03-23', weekdays: ['TU'] })
    await run()
    const winter = Date.parse('2027-03-23T18:30:00Z')
    const summer = Date.parse('2027-03-30T17:30:00Z')
    expect(await runAt(winter - 15 * MINUTE)).toBe(1)
    expect(await runAt(summer - 15 * MINUTE - 1)).toBe(0)
    expect(await runAt(summer - 15 * MINUTE)).toBe(1)
    expect(await shown()).toMatchObject({ starts_at: '2027-03-30T17:30:00.000Z' })
  })

  test('of two that overlap is made of each, with a mail of each', async () => {
    await plan()
    await plan({ time: '19:35' })
    await subscribeUntil(START + 10 * MINUTE)
    for (let minute = 15; minute > 0; minute--) await runAt(START - minute * MINUTE)
    expect(await mails()).toMatchObject([
      { starts_at: '2026-12-01T18:30:00.000Z' },
      { starts_at: '2026-12-01T18:35:00.000Z' },
    ])
    expect(await shown()).toMatchObject({ starts_at: '2026-12-01T18:30:00.000Z' })
    now = START
    expect(await shown()).toMatchObject({ starts_at: '2026-12-01T18:35:00.000Z' })
  })

  test('is gone with a meeting that is moved or removed, and made of its new time', async () => {
    const { id } = await plan()
    await subscribeUntil(START + 80 * MINUTE)
    await runAt(START - 15 * MINUTE)
    const as = { token: await openSession(server, host.id) }
    await call(server, 'PUT', `/host/planned-meetings/${id}`, { as, body: { ...TUESDAYS, time: '20:30' } })
    expect(await shown()).toBeNull()
    expect(await run()).toBe(0)
    expect(await shown()).toBeNull()
    expect(await runAt(START + 45 * MINUTE)).toBe(1)
    expect(await shown()).toMatchObject({ starts_at: '2026-12-01T19:30:00.000Z' })
    expect(await mails()).toHaveLength(2)
    await call(server, 'DELETE', `/host/planned-meetings/${id}`, { as })
    expect(await shown()).toBeNull()
    expect(await runAt(START + 46 * MINUTE)).toBe(0)
  })

  test('is made at the earlier time to which a meeting is moved', async () => {
    const { id } = await plan({ time: '20:30' })
    await run()
    await call(server, 'PUT', `/host/planned-meetings/${id}`, { as: host, body: TUESDAYS })
    expect(await runAt(START - 15 * MINUTE)).toBe(1)
  })

  test('waits while the meeting runs already, and says nothing of it', async () => {
    await plan()
    await setHost({ is_active: false })
    await runAt(START - 15 * MINUTE)
    const { id: room_id } = await server.deps.db
      .selectFrom('rooms')
      .select('id')
      .where('host_id', '=', host.id)
      .executeTakeFirstOrThrow()
    const at = new Date(now)
    const sitting = { meeting_id: host.rooms[0]?.zoom_meeting_id ?? '', meeting_uuid: 'early==', room_id }
    await server.deps.db
      .insertInto('sittings')
      .values({ ...sitting, began_at: at, started_at: at, live_reported_at: at, is_live: true })
      .execute()
    expect(await shown()).toBeNull()
    expect(await runAt(START - 14 * MINUTE)).toBe(0)
    await server.deps.db.updateTable('sittings').set({ is_live: false }).execute()
    expect(await runAt(START - 13 * MINUTE)).toBe(1)
  })

  test('is not made of a deleted host, and again once it is restored', async () => {
    await plan()
    await setHost({ deleted_at: new Date(now) })
    const failed = vi.spyOn(server.deps.log, 'error')
    expect(await runAt(START - MINUTE)).toBe(0)
    expect(failed).not.toHaveBeenCalled()
    await setHost({ deleted_at: null })
    expect(await runAt(START + 7 * 24 * 60 * MINUTE - MINUTE)).toBe(1)
  })

  test('is made by another node where the one that began it has died', async () => {
    await plan()
    await runAt(START - 16 * MINUTE)
    const lease = (lease_until: Date) =>
      server.deps.db.updateTable('planned_checks').set({ lease: 'of a dead node', lease_until }).execute()
    await lease(new Date(Date.now() + 60_000))
    expect(await runAt(START - 15 * MINUTE)).toBe(0)
    await lease(new Date(0))
    expect(await run()).toBe(1)
  })

  test('fails for one meeting without keeping the others from theirs', async () => {
    const other = await buildHost(server)
    await plan()
    await plan({}, other)
    await run()
    now = START - 15 * MINUTE
    const asked = vi.spyOn(server.deps.zoom, 'callFor').mockRejectedValue(new Error('unexpected'))
    expect(await run()).toBe(1)
    asked.mockRestore()
    expect(await shown(other)).toMatchObject({ problems: [{ title: 'Zoom is not connected' }, {}] })
    expect(await runAt(START - 14 * MINUTE)).toBe(2)
  })
})

describe('Zoom', () => {
  test('that refuses the connection is in the way', async () => {
    await plan()
    await run()
    now = START - 15 * MINUTE
    await server.control('/tokens/expire', { email: host.email, refresh: true })
    expect(await run()).toBe(1)
    expect(await titles()).toEqual(['Zoom has to be connected again'])
    expect(await mails()).toMatchObject([{ problems: [{ title: 'Zoom has to be connected again' }] }])
  })

  test('that is silent once is asked again before anyone is written to', async () => {
    await plan()
    await fault({ kind: 'status', status: 503, times: 0 })
    expect(await runAt(START - 15 * MINUTE)).toBe(1)
    expect(await titles()).toEqual(['Zoom does not answer'])
    expect(await mails()).toEqual([])
    expect(await runAt(START - 14 * MINUTE)).toBe(1)
    expect(await mails()).toHaveLength(1)
    await server.control('/faults', {}, 'DELETE')
    expect(await runAt(START - 13 * MINUTE)).toBe(1)
    expect(await titles()).toEqual([])
  })

  test('that is silent a few times is not asked again in the same run', async () => {
    for (let meeting = 0; meeting < 10; meeting++) await plan()
    await run()
    now = START - 15 * MINUTE
    const silent = vi
      .spyOn(server.deps.zoom, 'callFor')
      .mockRejectedValue(new ZoomError('unavailable', 'Zoom is not reachable'))
    expect(await checkMeetings.run(deps())).toBe(10)
    expect(silent.mock.calls.length).toBeLessThan(7)
    silent.mockRestore()
    expect(await titles()).toEqual(['Zoom does not answer'])
    expect(await runAt(START - 14 * MINUTE)).toBe(10)
    expect(await titles()).toEqual([])
  })

  test('that makes no other meeting for one that is lost is in the way', async () => {
    await plan()
    await run()
    await server.deps.zoom.callFor(host.id, deleteMeeting(host.rooms[0]?.zoom_meeting_id ?? ''))
    await server.control('/faults', { match: { path: '/v2/users/me/meetings' }, kind: 'status', status: 400, times: 0 })
    expect(await runAt(START - 15 * MINUTE)).toBe(1)
    expect(await titles()).toEqual(['Zoom refuses access to your room’s meeting'])
    expect(await mails()).toHaveLength(1)
    await server.control('/faults', {}, 'DELETE')
    expect(await runAt(START - 14 * MINUTE)).toBe(1)
    expect(await titles()).toEqual([])
  })

  test('has the meeting made again that it has lost', async () => {
    await plan()
    await server.deps.zoom.callFor(host.id, deleteMeeting(host.rooms[0]?.zoom_meeting_id ?? ''))
    expect(await runAt(START - 15 * MINUTE)).toBe(1)
    expect(await titles()).toEqual([])
  })
})

describe('GET /api/host/planned-meetings/check', () => {
  test('shows a moderator what is wrong with the room and Zoom alone, and nothing of another host', async () => {
    const other = await buildZoomHost(server)
    await plan()
    await setHost({ is_active: false })
    await removeUsers()
    await runAt(START - 15 * MINUTE)
    host.token = await openSession(server, host.id)
    expect(await titles()).toEqual([STOPPED, 'No users yet'])
    expect(await shown(other)).toBeNull()
    const moderator = await buildAssistant(server, host, 'moderator')
    const { body } = await call(server, 'GET', '/host/planned-meetings/check', { as: moderator })
    expect(body.data.check.problems).toMatchObject([{ subject: 'room' }])
  })
})

test('the mail names the meeting in its own zone, and what is wrong', () => {
  const problems = [{ title: STOPPED, advice: 'No phone can sign in. Activate it (A) on Host Master.' }]
  const { subject, text } = writeMail(server.deps.config, {
    ...{ kind: 'meeting_not_ready', username: 'asha', starts_at: '2026-07-01T17:30:00.000Z' },
    ...{ time_zone: 'Europe/Berlin', problems },
  })
  expect(subject).toBe('Your meeting at 19:30 is not ready')
  expect(text).toContain('asha is planned for Wednesday 1 July 2026, 19:30 (Europe/Berlin)')
  expect(text).toContain('The room is stopped. No phone can sign in. Activate it (A) on Host Master.')
})
