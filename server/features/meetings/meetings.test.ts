import { beforeEach, describe, expect, test } from 'vitest'
import { MeetingListAnswer, MeetingReportAnswer } from '../../../shared/meetings.ts'
import type { RoomUser } from '../../../shared/room-users.ts'
import { buildAssistant, buildHost, buildRoomUser, call, type TestHost } from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'

const NOW = Date.parse('2026-11-21T18:00:00Z')
const clock = { now: NOW }
/** A moment of the meeting's day. */
const at = (time: string) => new Date(`2026-11-21T${time}Z`)
let host: TestHost
let room_id: string

const server = await setup({ now: () => clock.now })
const { db } = server.deps
beforeEach(async () => {
  clock.now = NOW
  host = await buildHost(server)
  room_id = await roomOf(host)
})

async function roomOf({ id }: TestHost): Promise<string> {
  const room = await db.selectFrom('rooms').select('id').where('host_id', '=', id).executeTakeFirstOrThrow()
  return room.id
}

async function meet(meeting_uuid: string, began_at: Date, end: Date | null, room = room_id): Promise<void> {
  const is_live = end === null
  await db
    .insertInto('sittings')
    .values({ room_id: room, meeting_uuid, meeting_id: '1', began_at, is_live, live_reported_at: end ?? began_at })
    .execute()
}

async function stay({ id: room_user_id, user_id, username }: RoomUser, joined: string, left: string | null) {
  const times = { joined_at: at(joined), left_at: left === null ? null : at(left) }
  await db
    .insertInto('stays')
    .values({ room_id, room_user_id, user_id, username, ...times })
    .execute()
}

async function speak({ id: room_user_id }: RoomUser, began: string, ended: string) {
  await db
    .insertInto('speeches')
    .values({ room_id, room_user_id, began_at: at(began), ended_at: at(ended) })
    .execute()
}

async function list(query = '') {
  const { status, body } = await call(server, 'GET', `/host/meetings?${query}`, { as: host })
  expect(status).toBe(200)
  return MeetingListAnswer.parse(body).data
}

async function report(id: string) {
  const { status, body } = await call(server, 'GET', `/host/meetings/${encodeURIComponent(id)}`, { as: host })
  expect(status).toBe(200)
  return MeetingReportAnswer.parse(body).data
}

describe('GET /api/host/meetings', () => {
  test('has the numbers of each meeting, newest first', async () => {
    const [anna, ben, cleo] = await Promise.all([1, 2, 3].map(() => buildRoomUser(server, host)))
    if (!anna || !ben || !cleo) throw new Error('no users')
    await meet('ended/1', at('10:00:00'), at('11:00:00'))
    await meet('running', at('17:00:00'), null)
    await stay(anna, '09:00:00', '10:30:00') // here before it began
    await stay(ben, '10:30:00', '10:40:00') // comes as Anna leaves
    await stay(cleo, '10:35:00', '12:00:00')
    await stay(ben, '10:45:00', '10:50:00')
    await stay(anna, '17:30:00', null)
    await speak(anna, '09:59:00', '10:00:30')
    await speak(cleo, '10:50:00', '10:51:00')
    await speak(anna, '12:00:00', '12:30:00') // in no meeting
    const { has_zoom, meetings, has_more } = await list()
    expect({ has_zoom, has_more }).toEqual({ has_zoom: false, has_more: false })
    expect(meetings).toEqual([
      {
        id: 'running',
        started_at: at('17:00:00').toISOString(),
        ended_at: null,
        ...{ users: 1, peak: 1, spoke_seconds: 0, recordings: 0, acts: 0, note: null },
      },
      {
        id: 'ended/1',
        started_at: at('10:00:00').toISOString(),
        ended_at: at('11:00:00').toISOString(),
        ...{ users: 3, peak: 2, spoke_seconds: 90, recordings: 0, acts: 0, note: null },
      },
    ])
  })

  test('counts what was done in it, and not what was done about another meeting', async () => {
    const times = { first_day: '2026-12-01', weekdays: [], time: '19:30', minutes: 60, time_zone: 'UTC' }
    await meet('running', at('17:00:00'), null)
    expect((await call(server, 'POST', '/host/planned-meetings', { as: host, body: times })).status).toBe(200)
    expect(
      (await call(server, 'PUT', '/host/queue-order', { as: host, body: { queue_order: 'least_spoken' } })).status,
    ).toBe(200)
    await meet('former', at('10:00:00'), at('11:00:00'))
    const recording = { room_id, meeting_id: '1', meeting_uuid: 'former', topic: 'One', started_at: at('10:00:00') }
    const file = { ...recording, status: 'completed', file_size: 1, recording_type: 'audio_only', file_type: 'M4A' }
    const { id } = await db
      .insertInto('recordings')
      .values({ ...file, zoom_file_id: 'shared' })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const days of [7, null])
      expect((await call(server, 'PUT', `/host/recordings/${id}/sharing`, { as: host, body: { days } })).status).toBe(
        200,
      )
    const made = await call(server, 'POST', '/host/meetings/former/links', { as: host, body: { days: 1 } })
    await call(server, 'DELETE', `/host/report-links/${made.body.data.link.id}`, { as: host })
    clock.now = NOW + 1_000
    expect((await list()).meetings[0]).toMatchObject({ acts: 1 })
    expect((await report('running')).acts).toEqual([{ action: 'queue_order_set', times: 1 }])
  })

  test('begins a meeting whose start event was lost at the start that a later event names', async () => {
    const anna = await buildRoomUser(server, host)
    await meet('former', at('09:00:00'), at('09:30:00'))
    await meet('found', new Date(at('09:00:00').getTime() + 1), at('17:30:00'))
    await stay(anna, '17:00:00', '17:30:00')
    const found = async () => (await list()).meetings.find(({ id }) => id === 'found')?.started_at
    expect(await found()).toBe(at('09:30:00').toISOString())
    await db
      .updateTable('sittings')
      .set({ started_at: at('17:00:00') })
      .where('meeting_uuid', '=', 'found')
      .execute()
    expect(await found()).toBe(at('17:00:00').toISOString())
    expect((await report('found')).users).toMatchObject([{ late_seconds: null }])
  })

  test('counts what the host and the assistants did while it ran, and no refused or automatic act', async () => {
    const user = await buildRoomUser(server, host)
    const { token } = await buildAssistant(server, host, 'moderator')
    await meet('running', at('17:00:00'), null)
    await call(server, 'POST', `/host/users/${user.id}/mute`, { as: host })
    clock.now = NOW + 1_000
    await call(server, 'POST', `/host/users/${user.id}/unmute`, { as: { token } })
    await call(server, 'POST', '/host/users/import', { as: { token }, body: {} }) // not allowed
    clock.now = NOW + 2_000
    expect((await list()).meetings).toMatchObject([{ acts: 2 }])
    expect((await report('running')).acts).toEqual([
      { action: 'user_mute', times: 1 },
      { action: 'user_unmute', times: 1 },
    ])
    clock.now = NOW - 86_400_000
    await meet('before', at('07:00:00'), at('08:00:00'))
    expect((await list()).meetings.find(({ id }) => id === 'before')).toMatchObject({ acts: 0 })
  })

  test('counts the recordings that are not in the trash', async () => {
    await meet('recorded', at('10:00:00'), at('11:00:00'))
    const recording = { room_id, meeting_id: '1', meeting_uuid: 'recorded', topic: 'One', started_at: at('10:00:00') }
    const file = { ...recording, status: 'completed', file_size: 1, recording_type: 'audio_only' }
    await db
      .insertInto('recordings')
      .values([
        { ...file, zoom_file_id: 'a', file_type: 'M4A' },
        { ...file, zoom_file_id: 'b', file_type: 'M4A', trashed_at: at('12:00:00') },
        { ...file, zoom_file_id: 'c', file_type: 'TIMELINE' },
      ])
      .execute()
    expect((await list()).meetings).toMatchObject([{ recordings: 1 }])
  })

  test('comes in pages of 30', async () => {
    const day = (number: number) => new Date(NOW - number * 86_400_000)
    for (let number = 1; number <= 31; number++) await meet(`day ${number}`, day(number), day(number))
    const first = await list()
    expect(first).toMatchObject({ has_more: true })
    expect(first.meetings.map(({ id }) => id)).toEqual(Array.from({ length: 30 }, (_, index) => `day ${index + 1}`))
    const rest = await list(`before=${first.meetings.at(-1)?.started_at}`)
    expect(rest).toMatchObject({ has_more: false, meetings: [{ id: 'day 31' }] })
  })

  test('is empty for a room that has not met, and has none of another room', async () => {
    await meet('of-another', at('10:00:00'), at('11:00:00'), await roomOf(await buildHost(server)))
    expect(await list()).toEqual({ has_zoom: false, meetings: [], has_more: false })
  })

  test('refuses what is no time', async () => {
    const refused = await call(server, 'GET', '/host/meetings?before=yesterday', { as: host })
    expect(refused).toMatchObject({ status: 422, body: { code: 'invalid_input', errors: [{ path: 'before' }] } })
  })
})

describe('GET /api/host/meetings/:id', () => {
  test('lists who came late or left early by more than five minutes, who spoke, and who was absent', async () => {
    const [anna, ben, cleo, dan] = await Promise.all([1, 2, 3, 4].map(() => buildRoomUser(server, host)))
    if (!anna || !ben || !cleo || !dan) throw new Error('no users')
    await db
      .updateTable('room_users')
      .set({ created_at: at('08:00:00') })
      .where('room_id', '=', room_id)
      .execute()
    await meet('a/b==', at('10:00:00'), at('11:00:00'))
    await stay(anna, '09:50:00', '11:10:00')
    await stay(ben, '10:05:00', '10:55:00') // just in time
    await stay(cleo, '10:05:01', '10:20:00')
    await stay(cleo, '10:30:00', '10:54:59')
    await speak(ben, '10:10:00', '10:12:00')
    const { users, absent, speakers } = await report('a/b==')
    expect(users).toMatchObject([
      { id: anna.id, late_seconds: null, early_seconds: null, total_seconds: 3600, visits: 1 },
      { id: ben.id, late_seconds: null, early_seconds: null },
      { id: cleo.id, late_seconds: 301, early_seconds: 301, visits: 2 },
    ])
    expect(absent).toMatchObject([{ id: dan.id }])
    expect(speakers).toMatchObject([{ id: ben.id, spoke_seconds: 120 }])
  })

  test('no one has left a running meeting early', async () => {
    const anna = await buildRoomUser(server, host)
    await meet('running', at('17:00:00'), null)
    await stay(anna, '17:00:00', '17:10:00')
    expect((await report('running')).users).toMatchObject([{ id: anna.id, early_seconds: null }])
  })

  test.each(['nothing', 'a'.repeat(300), '..%2f..'])('does not find %s', async (id) => {
    const answer = await call(server, 'GET', `/host/meetings/${id}`, { as: host })
    expect(answer).toMatchObject({ status: 404, body: { success: false } })
  })

  test('does not find the meeting of another room', async () => {
    await meet('of-another', at('10:00:00'), at('11:00:00'), await roomOf(await buildHost(server)))
    expect((await call(server, 'GET', '/host/meetings/of-another', { as: host })).status).toBe(404)
    const refused = await call(server, 'PUT', '/host/meetings/of-another/note', { as: host, body: { note: 'mine' } })
    expect(refused.status).toBe(404)
    const notes = await db.selectFrom('sittings').select('note').where('meeting_uuid', '=', 'of-another').execute()
    expect(notes).toEqual([{ note: null }])
  })
})

describe('PUT /api/host/meetings/:id/note', () => {
  const edit = (body: unknown) => call(server, 'PUT', '/host/meetings/one/note', { as: host, body })
  const audited = () =>
    db
      .selectFrom('audit')
      .select(['before', 'after'])
      .where('host_id', '=', host.id)
      .where('action', '=', 'meeting_note_edited')
      .orderBy('seq')
      .execute()
  beforeEach(() => meet('one', at('10:00:00'), at('11:00:00')))

  test('saves, changes and removes it, and the audit has each change once', async () => {
    expect((await edit({ note: ' About the harvest.\nLong. ' })).body.data).toEqual({
      note: 'About the harvest.\nLong.',
    })
    expect((await list()).meetings).toMatchObject([{ note: 'About the harvest.\nLong.' }])
    expect((await edit({ note: 'About the harvest.\nLong.' })).status).toBe(200) // pressed twice
    expect((await edit({ note: '' })).body).toMatchObject({ message: 'Note removed', data: { note: null } })
    expect((await report('one')).meeting.note).toBe(null)
    expect(await audited()).toEqual([
      { before: { note: null }, after: { note: 'About the harvest.\nLong.' } },
      { before: { note: 'About the harvest.\nLong.' }, after: { note: null } },
    ])
  })

  test('does not overwrite what another console has saved since', async () => {
    await edit({ note: 'by Anna', expect: { note: '' } })
    const refused = await edit({ note: 'by Ben', expect: { note: '' } })
    expect(refused).toMatchObject({ status: 409, body: { code: 'state_changed' } })
    expect((await report('one')).meeting.note).toBe('by Anna')
    expect((await edit({ note: 'by Anna', expect: { note: '' } })).status).toBe(200) // a repeat
    expect((await edit({ note: 'by Ben', expect: { note: 'by Anna' } })).status).toBe(200)
  })

  test.each([
    ['no note', {}],
    ['a number', { note: 5 }],
    ['too long a one', { note: 'x'.repeat(2_001) }],
    ['hidden letters', { note: 'a‮b' }],
  ])('refuses %s', async (_which, body) => {
    expect(await edit(body)).toMatchObject({ status: 422, body: { errors: [{ path: 'note' }] } })
    expect(await audited()).toEqual([])
  })

  test('is for the host and a manager alone', async () => {
    const moderator = await buildAssistant(server, host, 'moderator')
    const manager = await buildAssistant(server, host, 'manager')
    const body = { note: 'one' }
    expect((await call(server, 'PUT', '/host/meetings/one/note', { as: moderator, body })).status).toBe(403)
    expect((await call(server, 'GET', '/host/meetings/one', { as: moderator })).status).toBe(403)
    expect((await call(server, 'PUT', '/host/meetings/one/note', { as: manager, body })).status).toBe(200)
  })
})
