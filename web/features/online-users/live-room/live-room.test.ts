import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RoomEvent } from '../../../../shared/room-events.ts'
import type { RoomUser } from '../../../../shared/room-users.ts'
import { buildRoomUser as aUser } from '../../../../test/build-room-user.ts'
import { emptyRoom, type LiveRoom, SETTLE_MS, withEvents, withPoll } from './live-room.ts'

const answer = (users: RoomUser[], host_mute_all_active = false) => ({
  success: true as const,
  host_mute_all_active,
  data: { users },
})
const polledAt = (at: number, ...users: RoomUser[]) => withPoll(emptyRoom, answer(users), at, at + 10)
const one = (room: LiveRoom) => room.users[0]

const speaking = (user_id: string, is_speaking = true): RoomEvent => ({
  name: 'user-speaking-status',
  data: { user_id, is_speaking },
})
const muted = (user_id: string, is_muted = true): RoomEvent => ({
  name: 'user-mute-status',
  data: { user_id, is_muted, by: 'host' },
})
const asleep = (user_id: string, is = true): RoomEvent => ({
  name: 'user-online',
  data: { user_id, is_online: true, asleep: is },
})
const muteAll = (active = true): RoomEvent => ({ name: 'host-mute-all', data: { room_id: 'r', active } })

describe('an event of the stream', () => {
  test.each<[string, Partial<RoomUser>, RoomEvent, Partial<RoomUser>]>([
    ['speaks', {}, speaking('a'), { is_speaking: true }],
    ['falls silent', { is_speaking: true }, speaking('a', false), { is_speaking: false }],
    ['is muted', { is_speaking: true, speaker_on: true }, muted('a'), { is_muted: true, is_speaking: false }],
    ['is unmuted', { is_muted: true, wants_to_speak: true }, muted('a', false), { wants_to_speak: false }],
    ['is told to be open as before', { wants_to_speak: true }, muted('a', false), { wants_to_speak: true }],
    [
      'asks to speak',
      {},
      {
        name: 'user-speaker-toggle',
        data: { user_id: 'a', speaker_on: false, wants_to_speak: true, wants_to_speak_at: '2026-11-21T10:00:00Z' },
      },
      { wants_to_speak: true, wants_to_speak_at: '2026-11-21T10:00:00Z' },
    ],
    ['is muted with all', { speaker_on: true }, muteAll(), { is_muted: true, speaker_on: false }],
    ['no longer answers', {}, asleep('a'), { asleep: true }],
    ['answers again', { asleep: true }, asleep('a', false), { asleep: false }],
    [
      'acknowledges',
      { is_muted: true, pending_command: { id: 'e-1', type: 'mute' } },
      { name: 'commands-acknowledged', data: { user_ids: ['b', 'a'] } },
      { is_muted: true, pending_command: null },
    ],
  ])('shows at once: a user %s', (_, before, event, after) => {
    expect(one(withEvents(polledAt(0, aUser('a', before)), [event], 100))).toMatchObject(after)
  })

  test.each<[string, RoomEvent]>([
    ['goes offline', { name: 'user-online', data: { user_id: 'a', is_online: false } }],
    ['is logged out', { name: 'user-deactivated', data: { user_id: 'a', reason: 'logout' } }],
  ])('takes the tile away: a user %s', (_, event) => {
    expect(withEvents(polledAt(0, aUser('a'), aUser('b')), [event], 100).users.map(({ id }) => id)).toEqual(['b'])
  })

  test('outlives a poll that set out before it', () => {
    const heard = withEvents(polledAt(0, aUser('a')), [speaking('a')], 100)
    expect(one(withPoll(heard, answer([aUser('a')]), 90, 120))?.is_speaking).toBe(true)
  })

  test('gives way to a poll that set out well after it', () => {
    const heard = withEvents(polledAt(0, aUser('a')), [speaking('a')], 100)
    const later = 100 + SETTLE_MS
    expect(one(withPoll(heard, answer([aUser('a')]), later, later + 10))?.is_speaking).toBe(false)
  })

  test('of a user not polled yet counts once the user is', () => {
    const heard = withEvents(polledAt(0), [speaking('a')], 100)
    expect(one(withPoll(heard, answer([aUser('a')]), 110, 120))?.is_speaking).toBe(true)
  })

  test('that repeats the flag of a silenced room leaves those alone who were let speak', () => {
    const room = withPoll(emptyRoom, answer([aUser('a', { speaker_on: true })], true), 0, 10)
    expect(one(withEvents(room, [muteAll()], 100))).toMatchObject({ is_muted: false, speaker_on: true })
  })

  test('counts as a sign of life, and so does a poll', () => {
    const opened = withEvents(polledAt(0), [{ name: 'test', data: { server_time: '1970-01-01T00:01:00Z' } }], 700)
    expect(opened).toMatchObject({ heardAt: 700, serverAhead: 59_300 })
    expect(polledAt(0).heardAt).toBe(10)
  })
})

describe('the list', () => {
  test('keeps its object, and those of its users, when a poll brings nothing new', () => {
    const room = polledAt(0, aUser('a'), aUser('b'))
    expect(withPoll(room, answer([aUser('a'), aUser('b')]), 500, 510).users).toBe(room.users)
  })

  test('changes only the object of the user who changed', () => {
    const room = polledAt(0, aUser('a'), aUser('b'))
    const after = withEvents(room, [speaking('b')], 100)
    expect(after.users[0]).toBe(room.users[0])
    expect(after.users[1]).not.toBe(room.users[1])
  })

  test('has a phone that comes back awake, whatever it was before', () => {
    const back: RoomEvent = { name: 'user-online', data: { user_id: 'a', is_online: true } }
    expect(one(withEvents(polledAt(0, aUser('a')), [asleep('a'), back], 100))?.asleep).toBe(false)
  })

  test('keeps the place of a phone that drops and comes back', () => {
    const room = polledAt(0, aUser('a'), aUser('b'))
    const without = withPoll(room, answer([aUser('b')]), 500, 510)
    const back = withPoll(without, answer([aUser('b'), aUser('a'), aUser('0')]), 1000, 1010)
    expect(back.users.map(({ id }) => id)).toEqual(['a', 'b', '0'])
  })

  test('is what the server says, whatever was heard before', () => {
    const id = fc.constantFrom('a', 'b', 'c')
    const event = fc.oneof(
      fc.tuple(id, fc.boolean()).map(([user, on]) => speaking(user, on)),
      fc.tuple(id, fc.boolean()).map(([user, on]) => muted(user, on)),
      fc.tuple(id, fc.boolean()).map(([user, is]) => asleep(user, is)),
      fc.boolean().map((active) => muteAll(active)),
      fc
        .tuple(id, fc.boolean())
        .map(([user_id, is_online]): RoomEvent => ({ name: 'user-online', data: { user_id, is_online } })),
    )
    const truth = [aUser('a'), aUser('b', { is_muted: true }), aUser('c', { wants_to_speak: true })]
    fc.assert(
      fc.property(fc.array(event), (events) => {
        const room = withEvents(polledAt(0, ...truth), events, 100)
        const later = withPoll(room, answer(truth), 100 + SETTLE_MS, 400)
        expect(later.users).toEqual(truth)
        expect(later.patches.size).toBe(0)
      }),
    )
  })
})
