import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RoomEvent } from '../../../../shared/room-events.ts'
import type { RoomUser } from '../../../../shared/room-users.ts'
import { NO_TURN_LIMIT } from '../../../../shared/turns.ts'
import { listedUser as aUser } from '../../../../test/factories/listed.ts'
import { applyEvents, applyPoll, emptyRoom, extendOrder, type LiveRoomState, SETTLE_MS } from './live-room.ts'
import { createLiveRoomStore } from './live-room-store.ts'

const V1 = { etag: '"1"', token: 'token' }
const list = (users: RoomUser[], hostMuteAll = false, floorId: string | null = null) => ({
  ...{ users, hostMuteAll, floorId, moderators: [], lastAct: null, isInStep: true, version: V1 },
  ...{
    floorSince: floorId && SINCE,
    turnLimit: NO_TURN_LIMIT,
    queueOrder: 'first_come' as const,
    groups: [],
    words: [],
  },
})
const polledAt = (at: number, ...users: RoomUser[]) => applyPoll(emptyRoom, list(users), at, at + 10)
const one = (room: LiveRoomState) => room.users[0]

const SINCE = '2026-11-21T10:00:00Z'
const speaking = (user_id: string, is_speaking = true): RoomEvent => ({
  name: 'user-speaking-status',
  data: { user_id, is_speaking, speaking_since: is_speaking ? SINCE : null },
})
const muted = (user_id: string, is_muted = true): RoomEvent => ({
  name: 'user-mute-status',
  data: { user_id, is_muted, by: 'host' },
})
const asleep = (user_id: string, is = true): RoomEvent => ({
  name: 'user-online',
  data: { user_id, is_online: true, asleep: is },
})
const sound = (audio: 'on' | 'lost'): RoomEvent => ({
  name: 'user-online',
  data: { user_id: 'a', is_online: true, asleep: false, audio },
})
const presence = (more: { asked_to_speak?: boolean; microphone?: 'missing' }): RoomEvent => ({
  name: 'user-online',
  data: { user_id: 'a', is_online: true, ...more },
})
const speaker = (speaker_on: boolean): RoomEvent => ({
  name: 'user-speaker-toggle',
  data: { user_id: 'a', speaker_on, wants_to_speak: !speaker_on, wants_to_speak_at: null },
})
const muteAll = (active = true): RoomEvent => ({ name: 'host-mute-all', data: { room_id: 'r', active } })

test('an order that was just saved is not taken back by a poll of before', () => {
  const store = createLiveRoomStore()
  store.applyPoll(list([aUser('a')]), 0)
  store.setQueueOrder('least_spoken')
  const savedAt = store.getState().floorChangedAt
  store.applyPoll(list([aUser('a')]), savedAt)
  expect(store.getState().queueOrder).toBe('least_spoken')
  store.applyPoll(list([aUser('a')]), savedAt + SETTLE_MS)
  expect(store.getState().queueOrder).toBe('first_come')
})

test('a repeated event that comes before the first list neither lowers a hand nor asks to speak', () => {
  const before = applyEvents(emptyRoom, [muted('a', false)], 1_000)
  const room = applyPoll(before, list([aUser('a', { wants_to_speak: true })]), 990, 1_100)
  expect(one(room)).toMatchObject({ is_muted: false, wants_to_speak: true, asked_to_speak: false })
  const answered = applyEvents(before, [muted('a'), muted('a', false)], 1_050)
  expect(one(applyPoll(answered, list([aUser('a')]), 990, 1_100))).toMatchObject({ asked_to_speak: true })
})

describe('an event of the stream', () => {
  test.each<[string, Partial<RoomUser>, RoomEvent, Partial<RoomUser>]>([
    ['speaks', {}, speaking('a'), { is_speaking: true, speaking_since: SINCE }],
    ['falls silent', { is_speaking: true }, speaking('a', false), { is_speaking: false, speaking_since: null }],
    [
      'is muted',
      { is_speaking: true, speaking_since: SINCE, speaker_on: true },
      muted('a'),
      { is_muted: true, is_speaking: false, speaking_since: null },
    ],
    ['is unmuted', { is_muted: true, wants_to_speak: true }, muted('a', false), { wants_to_speak: false }],
    ['is unmuted once more', { wants_to_speak: true }, muted('a', false), { wants_to_speak: true }],
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
    ['is asked to speak', { is_muted: true }, muted('a', false), { is_muted: false, asked_to_speak: true }],
    ['is muted again', { asked_to_speak: true }, muted('a'), { asked_to_speak: false }],
    ['turns the microphone on', { asked_to_speak: true }, speaker(true), { speaker_on: true, asked_to_speak: false }],
    ['raises a hand', { asked_to_speak: true }, speaker(false), { asked_to_speak: true }],
    ['is unmuted with all', { is_muted: true }, muteAll(false), { asked_to_speak: false }],
    ['says not now', { asked_to_speak: true }, presence({ asked_to_speak: false }), { asked_to_speak: false }],
    ['has no microphone', {}, presence({ microphone: 'missing' }), { microphone: 'missing' }],
    ['loses the sound', { audio: 'on' }, sound('lost'), { audio: 'lost' }],
    ['has an app that does not speak of sound', {}, asleep('a', false), { audio: null }],
    ['no longer answers', {}, asleep('a'), { asleep: true }],
    ['answers again', { asleep: true }, asleep('a', false), { asleep: false }],
    [
      'acknowledges',
      { is_muted: true, pending_command: { id: 'e-1', type: 'mute' } },
      { name: 'commands-acknowledged', data: { user_ids: ['b', 'a'] } },
      { is_muted: true, pending_command: null },
    ],
  ])('shows at once: a user %s', (_, before, event, after) => {
    expect(one(applyEvents(polledAt(0, aUser('a', before)), [event], 100))).toMatchObject(after)
  })

  test.each<[string, RoomEvent]>([
    ['goes offline', { name: 'user-online', data: { user_id: 'a', is_online: false } }],
    ['is logged out', { name: 'user-deactivated', data: { user_id: 'a', reason: 'logout' } }],
  ])('removes the tile: a user %s', (_, event) => {
    expect(applyEvents(polledAt(0, aUser('a'), aUser('b')), [event], 100).users.map(({ id }) => id)).toEqual(['b'])
  })

  test('survives a poll that was sent before it', () => {
    const room = applyEvents(polledAt(0, aUser('a')), [speaking('a')], 100)
    expect(one(applyPoll(room, list([aUser('a')]), 90, 120))?.is_speaking).toBe(true)
  })

  test('yields to a poll that was sent well after it', () => {
    const room = applyEvents(polledAt(0, aUser('a')), [speaking('a')], 100)
    const later = 100 + SETTLE_MS
    expect(one(applyPoll(room, list([aUser('a')]), later, later + 10))?.is_speaking).toBe(false)
  })

  test('of a user not polled yet counts once the user is', () => {
    const room = applyEvents(polledAt(0), [speaking('a')], 100)
    expect(one(applyPoll(room, list([aUser('a')]), 110, 120))?.is_speaking).toBe(true)
  })

  test('that repeats the flag of a muted room leaves unmuted users alone', () => {
    const room = applyPoll(emptyRoom, list([aUser('a', { speaker_on: true })], true), 0, 10)
    expect(one(applyEvents(room, [muteAll()], 100))).toMatchObject({ is_muted: false, speaker_on: true })
  })

  test('that mutes all but one leaves that one alone', () => {
    const room = polledAt(0, aUser('a', { speaker_on: true }), aUser('b'))
    const event: RoomEvent = { name: 'host-mute-all', data: { room_id: 'r', active: true, except: ['a'] } }
    expect(applyEvents(room, [event], 100).users).toMatchObject([
      { is_muted: false, speaker_on: true },
      { is_muted: true },
    ])
  })

  test('that repeats that a user is not muted asks nobody to speak', () => {
    expect(one(applyEvents(polledAt(0, aUser('a')), [muted('a', false)], 100))?.asked_to_speak).toBe(false)
  })

  test.each<RoomEvent>([
    { name: 'phone-requests', data: { room_id: 'r' } },
    { name: 'user-muted-again', data: { user_id: 'a' } },
    { name: 'meeting-runs', data: { room_id: 'r', is_running: true, spread_ms: 5 } },
  ])('$name leaves the users and their version as they are', (notice) => {
    const room = polledAt(0, aUser('a'))
    const after = applyEvents(room, [notice], 100)
    expect(after.users).toBe(room.users)
    expect(after.version).toBe(V1)
  })

  test('counts as contact with the server, and so does a poll', () => {
    const opened = applyEvents(polledAt(0), [{ name: 'test', data: { server_time: '1970-01-01T00:01:00Z' } }], 700)
    expect(opened).toMatchObject({ lastContactAt: 700, clockOffset: 59_300 })
    expect(polledAt(0).lastContactAt).toBe(10)
  })
})

describe('the list', () => {
  test('keeps its object, and those of its users, when a poll brings nothing new', () => {
    const room = polledAt(0, aUser('a'), aUser('b'))
    expect(applyPoll(room, list([aUser('a'), aUser('b')]), 500, 510).users).toBe(room.users)
  })

  test('changes only the object of the user who changed', () => {
    const room = polledAt(0, aUser('a'), aUser('b'))
    const after = applyEvents(room, [speaking('b')], 100)
    expect(after.users[0]).toBe(room.users[0])
    expect(after.users[1]).not.toBe(room.users[1])
  })

  test('shows a returning phone as awake', () => {
    const back: RoomEvent = { name: 'user-online', data: { user_id: 'a', is_online: true } }
    expect(one(applyEvents(polledAt(0, aUser('a')), [asleep('a'), back], 100))?.asleep).toBe(false)
  })

  test('keeps the position of a phone that reconnects', () => {
    const room = polledAt(0, aUser('a'), aUser('b'))
    const without = applyPoll(room, list([aUser('b')]), 500, 510)
    const back = applyPoll(without, list([aUser('b'), aUser('a'), aUser('0')]), 1000, 1010)
    expect(back.users.map(({ id }) => id)).toEqual(['a', 'b', '0'])
  })

  test('follows the server, whatever the events before', () => {
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
        const room = applyEvents(polledAt(0, ...truth), events, 100)
        const later = applyPoll(room, list(truth), 100 + SETTLE_MS, 400)
        expect(later.users).toEqual(truth)
        expect(later.changes.size).toBe(0)
      }),
    )
  })
})

describe('the turn of the user who has the floor', () => {
  const turn = (user_id: string, since: string | null): RoomEvent => ({
    name: 'turn',
    data: { user_id, since, limit_minutes: since === null ? null : 5, ends_muted: false },
  })
  const floorOf = ({ floorId, floorSince, turnLimit }: LiveRoomState) => [floorId, floorSince, turnLimit.minutes]

  test('begins and ends with its events, and a late poll does not bring it back', () => {
    const room = polledAt(0, aUser('a', { wants_to_speak: true, is_muted: true }), aUser('b'))
    const begun = applyEvents(room, [muted('a', false), turn('a', SINCE)], 100)
    expect(floorOf(begun)).toEqual(['a', SINCE, 5])
    expect(floorOf(applyPoll(begun, list([aUser('a')]), 90, 120))).toEqual(['a', SINCE, 5])
    expect(floorOf(applyEvents(begun, [turn('b', null)], 200))).toEqual(['a', SINCE, 5]) // an older one
    expect(applyEvents(begun, [turn('a', null)], 200).floorId).toBeNull()
    expect(floorOf(applyPoll(begun, list([aUser('a')], false, 'a'), 100 + SETTLE_MS, 400))).toEqual(['a', SINCE, null])
  })

  test('is read again where a list was asked for too soon after an event to be believed', () => {
    const begun = applyEvents(polledAt(0, aUser('a'), aUser('b')), [turn('a', SINCE)], 100)
    const soon = applyPoll(begun, list([aUser('a'), aUser('b')], false, 'b'), 110, 120)
    expect([floorOf(soon), soon.version]).toEqual([['a', SINCE, 5], null])
    const later = applyPoll(soon, list([aUser('a'), aUser('b')], false, 'b'), 100 + SETTLE_MS, 400)
    expect([floorOf(later), later.version]).toEqual([['b', SINCE, null], V1])
  })

  test('has no clock between the unmute and the event that says since when', () => {
    const former = applyPoll(emptyRoom, list([aUser('a', { wants_to_speak: true }), aUser('b')], false, 'b'), 0, 10)
    expect(floorOf(applyEvents(former, [muted('a', false)], 100))).toEqual(['b', SINCE, null]) // a repeated event
    const next = applyPoll(emptyRoom, list([aUser('a', { wants_to_speak: true, is_muted: true })], false, 'b'), 0, 10)
    expect(floorOf(applyEvents(next, [muted('a', false)], 100))).toEqual(['a', null, null])
  })
})

describe('a conditional poll', () => {
  test('of an unchanged list keeps all objects, and counts as contact', () => {
    const room = polledAt(0, aUser('a'))
    const later = applyPoll(room, null, 500, 510)
    expect(later.users).toBe(room.users)
    expect(later).toMatchObject({ version: V1, polledAt: 500, lastContactAt: 510 })
  })

  test('asks for the whole list once an event has changed the copy', () => {
    expect(applyEvents(polledAt(0, aUser('a')), [speaking('a')], 100).version).toBeNull()
  })

  test('asks again until the list is later than all events', () => {
    const room = applyEvents(polledAt(0, aUser('a')), [speaking('a')], 100)
    const soon = applyPoll(room, list([aUser('a')]), 110, 120)
    expect([soon.version, one(soon)?.is_speaking]).toEqual([null, true])
    const later = applyPoll(soon, list([aUser('a')]), 100 + SETTLE_MS, 400)
    expect([later.version, one(later)?.is_speaking]).toEqual([V1, false])
  })

  test('corrects the flag 2 s after an event, even when the list is unchanged', () => {
    const room = applyEvents(polledAt(0, aUser('a')), [muteAll()], 100)
    const polled = applyPoll(room, list([aUser('a')]), 1000, 1010)
    expect(polled.hostMuteAll.active).toBe(true)
    expect(applyPoll(polled, null, 2150, 2160).hostMuteAll.active).toBe(false)
  })
})

const people = (...names: string[]) => names.map((username) => ({ id: username.toLowerCase(), username }))

describe('the order of tiles', () => {
  test.each([
    ['at first by name, numbers as numbers', [], people('Ravi 10', 'asha', 'Ravi 2'), ['asha', 'ravi 2', 'ravi 10']],
    ['newcomers go to the end', ['mina'], people('Asha', 'Mina', 'Bea'), ['mina', 'asha', 'bea']],
    ['an offline user keeps the place', ['asha', 'bea', 'mina'], people('Mina', 'Asha'), ['asha', 'bea', 'mina']],
  ])('%s', (_, order, users, expected) => {
    expect(extendOrder(order, users)).toEqual(expected)
  })

  test('stays the same list without new users', () => {
    const order = ['asha', 'bea']
    expect(extendOrder(order, people('Bea'))).toBe(order)
  })
})
