import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { RoomUser } from '../../../shared/room-users.ts'
import {
  buildHost,
  buildPhone,
  buildRoomUser,
  call,
  openSession,
  type TestHost,
} from '../../../test/factories/accounts.ts'
import { buildZoomHost, setupWithZoom } from '../../../test/zoom/emulated-zoom.ts'
import { receiveWebhooks, webhooksProcessed } from '../../../test/zoom/webhooks.ts'
import { deleteMeeting } from '../../zoom/calls.ts'
import { ZoomError } from '../../zoom/errors.ts'
import { renewPasscodes } from './change-passcode.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
let now = Date.parse('2026-11-21T10:00:00Z')
let host: TestHost
let before: string

/** Runs the job by itself: the server's own runs, every ten seconds, would interfere. */
const run = renewPasscodes.run.bind(renewPasscodes)
renewPasscodes.run = async () => 0
afterAll(() => {
  renewPasscodes.run = run
})

const server = await setupWithZoom({ now: () => now })
beforeEach(async () => {
  now += 24 * HOUR
  host = await buildZoomHost(server)
  before = await passcode()
})

const room = async () => (await call(server, 'GET', '/host/room', { as: host })).body.data.room
const passcode = async () => (await room()).password as string
const atZoom = async () => {
  const { zoom_meeting_id } = await room()
  const { meetings } = await server.control('/state')
  return (meetings as { id: number; password: string }[]).find(({ id }) => String(id) === zoom_meeting_id)?.password
}
const meeting = (what: string, body: object = {}) =>
  server.control(`/meetings/${host.rooms[0]?.zoom_meeting_id}${what}`, body)
const act = (user: RoomUser, action: string) => call(server, 'POST', `/host/users/${user.id}/${action}`, { as: host })
const requestPasscode = (headers: Record<string, string> = {}, as = host) =>
  call(server, 'POST', '/host/room/passcode', { as, headers })
const runJob = () => run(server.deps)
const advance = (ms: number) => {
  now += ms
  return runJob()
}
/** Counts the changes of a meeting at Zoom. */
const changes = async () => {
  const row = await server.deps.db
    .selectFrom('zoom_links')
    .select('meeting_writes')
    .where('host_id', '=', host.id)
    .executeTakeFirstOrThrow()
  return row.meeting_writes - 1 // without its creation
}
const fails = (more: object = {}) =>
  server.control('/faults', { match: { method: 'PATCH' }, kind: 'status', status: 500, times: 0, ...more })
const acts = async () => {
  const rows = await server.deps.db
    .selectFrom('audit')
    .select(['action', 'actor_role'])
    .where('action', 'like', 'passcode%')
    .orderBy('seq')
    .execute()
  return rows.map(({ action, actor_role }) => `${actor_role} ${action}`)
}

async function isChanged() {
  const now = await passcode()
  expect(now).toMatch(/^[A-Za-z2-9]{10}$/)
  expect(now).not.toBe(before)
  expect(await atZoom()).toBe(now)
}

async function isAsBefore() {
  expect(await passcode()).toBe(before)
  expect(await atZoom()).toBe(before)
}

describe('while no meeting runs', () => {
  test.each(['delete', 'deactivate', 'switch'])('the passcode changes soon after a user was: %s', async (action) => {
    const user = await buildRoomUser(server, host)
    expect((await act(user, action)).status).toBe(200)
    expect(await runJob()).toBe(1)
    await isChanged()
    expect(await advance(HOUR)).toBe(0)
    expect(await changes()).toBe(1)
    expect(await acts()).toEqual(['system passcode_changed'])
  })

  test.each(['logout', 'mute', 'unmute', 'activate', 'lower-hand'])('the passcode stays after: %s', async (action) => {
    await act(await buildRoomUser(server, host), action)
    expect(await runJob()).toBe(0)
    await isAsBefore()
  })

  test('the passcode stays when no user was found to delete', async () => {
    const user = await buildRoomUser(server, host)
    const other = await buildZoomHost(server)
    await call(server, 'POST', '/host/users/bulk/delete', { as: other, body: { userIds: [user.id] } })
    expect(await runJob()).toBe(0)
    await isAsBefore()
  })

  test('deleting 500 users at once changes the passcode once', async () => {
    const { id: room_id } = await server.deps.rooms.get(host.id)
    const names = Array.from({ length: 500 }, (_, at) => `u${at}`)
    const people = names.map((name) => ({
      ...{ room_id, user_id: name, user_id_key: name, username: name, username_key: name },
      ...{ password_hash: '', password_ciphertext: '' },
    }))
    const rows = await server.deps.db.insertInto('room_users').values(people).returning('id').execute()
    const body = { userIds: rows.map(({ id }) => id) }
    const { status, body: answer } = await call(server, 'POST', '/host/users/bulk/delete', { as: host, body })
    expect([status, answer.data?.succeeded.length]).toEqual([200, 500])
    await runJob()
    await advance(HOUR)
    await isChanged()
    expect(await changes()).toBe(1)
  })

  test('the passcode changes at most every ten seconds, and after fifty in a day (UTC) every half hour', async () => {
    const removeNext = async () => act(await buildRoomUser(server, host), 'delete')
    await removeNext()
    expect(await runJob()).toBe(1)
    await removeNext()
    expect(await advance(9_000)).toBe(0)
    await server.deps.db.updateTable('zoom_links').set({ meeting_writes: 48 }).execute()
    expect(await advance(1_000)).toBe(1)
    await removeNext()
    expect(await advance(10_000)).toBe(1) // the fiftieth
    await removeNext()
    expect(await advance(29 * MINUTE)).toBe(0)
    expect(await advance(MINUTE)).toBe(1)
    now = Date.parse(new Date(now).toISOString().slice(0, 10)) + 24 * HOUR - 1
    host.token = await openSession(server, host.id)
    await removeNext()
    expect(await runJob()).toBe(1) // the last of this day
    await removeNext()
    expect(await advance(29 * MINUTE)).toBe(0)
    expect(await advance(MINUTE)).toBe(1) // the first of the next one
    await removeNext()
    expect(await advance(10_000)).toBe(1)
  })

  test('phones get the new passcode with their next ticket', async () => {
    const stays = await buildPhone(server, host, await buildRoomUser(server, host))
    const goes = await buildRoomUser(server, host)
    const itself = { role: 'phone' as const, master_id: null, host_id: host.id, room_user_id: null }
    const hostPhone = { token: await server.deps.sessions.open(server.deps.db, itself, '127.0.0.1') }
    const ticket = async () => {
      await meeting('/start')
      await call(server, 'POST', '/mobile/status', { as: hostPhone }) // marks the host as present
      const { body } = await call(server, 'POST', '/mobile/join-ticket', { as: stays })
      await meeting('/end')
      now += 2 * MINUTE
      return body.data.passcode as string
    }
    expect(await ticket()).toBe(before)
    await receiveWebhooks(server)
    await meeting('/start')
    await meeting('/end')
    await webhooksProcessed(server)
    await act(goes, 'delete')
    expect(await runJob()).toBe(1)
    expect(await ticket()).toBe(await passcode())
    await isChanged()
  })

  test('a meeting that Zoom has lost is made again with a new passcode, once', async () => {
    await act(await buildRoomUser(server, host), 'delete')
    await server.deps.zoom.callFor(host.id, deleteMeeting(String(host.rooms[0]?.zoom_meeting_id)))
    expect(await runJob()).toBe(1)
    await isChanged()
    expect(await advance(HOUR)).toBe(0)
    expect(await changes()).toBe(1) // it was created twice
  })
})

describe('while the meeting runs', () => {
  beforeEach(async () => {
    await receiveWebhooks(server)
    await meeting('/start')
    await webhooksProcessed(server)
  })

  test('the passcode stays when a user is deleted, until the meeting has ended', async () => {
    await act(await buildRoomUser(server, host), 'delete')
    expect(await advance(HOUR)).toBe(0)
    await isAsBefore()
    await meeting('/end')
    await webhooksProcessed(server)
    expect(await runJob()).toBe(1)
    await isChanged()
  })

  test('the passcode stays even if Zoom’s start event was lost', async () => {
    await server.deps.db.deleteFrom('sittings').execute()
    await act(await buildRoomUser(server, host), 'delete')
    expect(await runJob()).toBe(0)
    await isAsBefore()
    expect((await room()).is_live).toBe(true)
  })

  test('the host can change the passcode at once, and the meeting continues', async () => {
    const { status, body } = await requestPasscode()
    expect([status, body]).toEqual([
      200,
      { success: true, message: 'The meeting has a new passcode', data: { changed: true } },
    ])
    await isChanged()
    expect((await room()).is_live).toBe(true)
    expect(await acts()).toEqual(['host passcode_asked', 'system passcode_changed'])
    expect(await advance(HOUR)).toBe(0)
  })
})

describe('while Zoom does not accept the change', () => {
  test('keeps the passcode, and changes it when Zoom is back', async () => {
    await act(await buildRoomUser(server, host), 'delete')
    await fails()
    expect(await runJob()).toBe(0)
    await isAsBefore()
    expect(await changes()).toBe(0)
    await server.control('/faults', undefined, 'DELETE')
    expect(await advance(59_000)).toBe(0)
    expect(await advance(1_000)).toBe(1)
    await isChanged()
  })

  test('retries with growing pauses', async () => {
    await act(await buildRoomUser(server, host), 'delete')
    const tries = vi.spyOn(server.deps.zoom, 'callFor').mockRejectedValue(new ZoomError('unavailable', 'Zoom is away'))
    const begun = now
    while (now < begun + 5 * HOUR) await advance(10_000)
    expect(tries.mock.calls.length).toBeLessThan(12)
    tries.mockRestore()
    expect(await advance(HOUR)).toBe(1)
  })

  test('reports the failure to the host, and retries without being asked', async () => {
    await fails({ times: 3 })
    expect((await requestPasscode()).body).toMatchObject({
      success: true,
      message: /as soon as/,
      data: { changed: false },
    })
    await isAsBefore()
    await server.control('/faults', undefined, 'DELETE')
    expect(await advance(MINUTE)).toBe(1)
    await isChanged()
  })

  test('repeats a change whose answer was lost, so that phones have the valid passcode', async () => {
    await act(await buildRoomUser(server, host), 'delete')
    const { callFor } = server.deps.zoom
    const lost = vi.spyOn(server.deps.zoom, 'callFor').mockImplementation(async (id, asked, deadline) => {
      const answer = await callFor(id, asked, deadline)
      if (asked.method === 'PATCH') throw new ZoomError('unavailable', 'Zoom took too long')
      return answer
    })
    expect(await runJob()).toBe(0)
    expect(await atZoom()).not.toBe(await passcode())
    lost.mockRestore()
    expect(await advance(MINUTE)).toBe(1)
    await isChanged()
  })

  test('does not take a change that Zoom silently dropped for done', async () => {
    await act(await buildRoomUser(server, host), 'delete')
    const { callFor } = server.deps.zoom
    const dropped = vi
      .spyOn(server.deps.zoom, 'callFor')
      .mockImplementation(async (id, asked, deadline) =>
        asked.method === 'PATCH' ? (undefined as never) : callFor(id, asked, deadline),
      )
    expect(await runJob()).toBe(0)
    dropped.mockRestore()
    await isAsBefore()
    expect(await advance(MINUTE)).toBe(1)
    await isChanged()
  })
})

describe('POST /api/host/room/passcode', () => {
  test('shows the passcode in the room only, not in an answer, the audit or a stored answer', async () => {
    const { body } = await requestPasscode({ 'idempotency-key': 'one' })
    const found = await passcode()
    expect(JSON.stringify(body)).not.toContain(found)
    for (const table of ['audit', 'idempotency_keys', 'rooms'] as const) {
      const rows = await server.deps.db.selectFrom(table).selectAll().execute()
      expect(rows.length).toBeGreaterThan(0)
      expect(JSON.stringify(rows)).not.toContain(found)
      expect(JSON.stringify(rows)).not.toContain(before)
    }
  })

  test('changes it once for two requests with one key', async () => {
    const headers = { 'idempotency-key': 'one' }
    const [first, second] = await Promise.all([requestPasscode(headers), requestPasscode(headers)])
    expect(first.body).toEqual(second.body)
    expect(await changes()).toBe(1)
    expect(await acts()).toHaveLength(2)
  })

  test('allows five of eight simultaneous requests, in turn, and stores the one valid at Zoom', async () => {
    let under = 0
    const atOnce: number[] = []
    const { callFor } = server.deps.zoom
    vi.spyOn(server.deps.zoom, 'callFor').mockImplementation(async (id, asked, deadline) => {
      if (asked.method !== 'PATCH') return callFor(id, asked, deadline)
      atOnce.push(++under)
      for (const _look of [1, 2, 3, 4]) await server.control('/state')
      return callFor(id, asked, deadline).finally(() => under--)
    })
    const answers = await Promise.all(Array.from({ length: 8 }, () => requestPasscode()))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 200, 429, 429, 429])
    await isChanged()
    expect(new Set(atOnce)).toEqual(new Set([1]))
    now += 30 * MINUTE
    expect((await requestPasscode()).status).toBe(200)
  })

  test('refuses a room without Zoom', async () => {
    expect(await requestPasscode({}, await buildHost(server))).toMatchObject({
      status: 409,
      body: { code: 'room_not_connected' },
    })
  })

  test.each([
    ['a phone', 403],
    ['nobody', 401],
  ] as const)('refuses %s', async (who, status) => {
    const phone = who === 'a phone' ? await buildPhone(server, host, await buildRoomUser(server, host)) : null
    expect((await call(server, 'POST', '/host/room/passcode', { as: phone })).status).toBe(status)
    await isAsBefore()
  })

  test('does not affect another host', async () => {
    const other = await buildZoomHost(server)
    expect((await requestPasscode({}, other)).status).toBe(200)
    await isAsBefore()
  })
})
