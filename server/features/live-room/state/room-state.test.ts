import { describe, expect, test } from 'vitest'
import { buildReconcilingChange } from './differences.ts'
import type { RoomChange } from './room-change.ts'
import { initialRoom } from './room-snapshot.ts'
import { RoomState } from './room-state.ts'
import type { RosterEntry } from './roster.ts'

const entry = (id: string): RosterEntry => ({
  id,
  user_id: id,
  username: id,
  reference: null,
  email: null,
  is_active: true,
  is_muted: false,
  phone_changed: false,
  last_seen: null,
  login_time: null,
  device_id: null,
  device_model: null,
  platform: null,
  app_version: null,
})
const buildRoom = () => {
  const roster = [entry('a'), entry('b')]
  const stored = {
    id: 'room',
    changeNumber: 0,
    meetingId: null,
    hostMuteAll: false,
    inMeeting: new Set<string>(),
    roster,
  }
  return new RoomState(initialRoom({ ...stored, host: entry('host') }, 'epoch'))
}

const CHANGES: RoomChange[] = [
  { type: 'online', id: 'a', at: 1_000 },
  { type: 'online', id: 'b', at: 1_001 },
  { type: 'status', id: 'b', at: 1_002, status: { is_speaking: true, speaker_on: true } },
  { type: 'status', id: 'a', at: 1_003, status: { wants_to_speak: true } },
  { type: 'flush-voice' },
  { type: 'mute', ids: ['b', 'nobody', 'host'], is_muted: true, by: 'host' },
  { type: 'mute-all', active: true, except: [] },
  { type: 'acknowledge', id: 'a', acks: ['epoch-7'] },
  { type: 'flush-acks' },
  { type: 'lower-hands', ids: ['a'] },
  { type: 'sign-out', ids: ['b'], reason: 'logout', at: 1_004 },
  { type: 'remove', id: 'b', at: 1_005 },
]

describe('RoomState', () => {
  test('the same changes lead to the same state, and to the same events under the same ids', () => {
    const [one, other] = [buildRoom(), buildRoom()]
    const outcomes = CHANGES.map((change) => one.apply(change))
    const repeated = CHANGES.map((change) => other.apply(JSON.parse(JSON.stringify(change))))
    expect(repeated).toEqual(outcomes)
    expect(other.participants.users()).toEqual(one.participants.users())
    expect(other.version).toBe(one.version)
    expect(outcomes.flatMap(({ events }) => events.map(({ id, event }) => [id, event.name]))).toEqual([
      ['epoch-1', 'user-online'],
      ['epoch-2', 'user-online'],
      ['epoch-3', 'user-speaker-toggle'],
      ['epoch-4', 'user-speaker-toggle'],
      ['epoch-5', 'user-speaking-status'],
      ['epoch-6', 'user-mute-status'],
      ['epoch-7', 'host-mute-all'],
      ['epoch-8', 'commands-acknowledged'],
      ['epoch-9', 'user-deactivated'],
      ['epoch-10', 'user-online'],
    ])
  })

  test('a Mute All with exceptions mutes the others, and is one event and a word to each exception', () => {
    const room = buildRoom()
    for (const id of ['a', 'b']) room.apply({ type: 'online', id, at: 1_000 })
    const { events } = room.apply({ type: 'mute-all', active: true, except: ['b', 'nobody', 'host'] })
    expect(events.map(({ event }) => event)).toEqual([
      { name: 'host-mute-all', data: { room_id: 'room', active: true, except: ['b'] } },
      { name: 'user-mute-status', data: { user_id: 'b', is_muted: false, by: 'host' } },
    ])
    expect(room.participants.users().map(({ roster }) => roster.is_muted)).toEqual([true, false])
  })

  test('reports each arrival and departure once', () => {
    const room = buildRoom()
    const presence = CHANGES.map((change) => room.apply(change)).flatMap(({ online, offline }) => [
      ...online.map(({ id }) => `${id} online`),
      ...offline.map(({ id }) => `${id} offline`),
    ])
    expect(presence).toEqual(['a online', 'b online', 'b offline'])
  })

  test('numbers neither the sound of a phone nor a new one that waits', () => {
    const room = buildRoom()
    room.apply({ type: 'online', id: 'a', at: 1_000 })
    const { seq, version } = room
    const { events, notices } = room.apply({ type: 'status', id: 'a', at: 1_001, status: { audio: 'lost' } })
    const data = { user_id: 'a', is_online: true, asleep: false, audio: 'lost', zoom_code: null }
    expect(events).toEqual([])
    expect(notices).toMatchObject([{ name: 'user-online', data }])
    expect(room.apply({ type: 'phone-requests' }).notices).toEqual([
      { name: 'phone-requests', data: { room_id: 'room' } },
    ])
    expect(room.seq).toBe(seq)
    expect(room.version).toBe(version + 1)
    expect(room.apply({ type: 'status', id: 'a', at: 1_002, status: { audio: 'lost' } }).notices).toEqual([])
  })

  test('tells phones that the meeting runs, and over what time those that wait are to ask, without a number', () => {
    const room = buildRoom()
    const tell = (is_running: boolean) => room.apply({ type: 'meeting-runs', is_running })
    const news = (is_running: boolean, spread_ms: number) => [
      { name: 'meeting-runs', data: { room_id: 'room', is_running, spread_ms } },
    ]
    const { seq, version } = room
    expect(tell(false)).toMatchObject({ events: [], notices: [], phoneNotices: news(false, 0) })
    for (const id of ['a', 'b']) room.apply({ type: 'online', id, at: 1_000 })
    expect(tell(true).phoneNotices).toEqual(news(true, 10))
    expect(room.seq).toBe(seq + 2)
    expect(room.version).toBe(version + 2)
    for (let n = 0; n < 2_500; n++) {
      room.apply({ type: 'upsert', entry: entry(`u${n}`) })
      room.apply({ type: 'online', id: `u${n}`, at: 1_000 })
    }
    expect(tell(true).phoneNotices).toEqual(news(true, 10_000))
  })

  describe('committed changes', () => {
    const mute = (id: string, is_muted: boolean): RoomChange => ({ type: 'mute', ids: [id], is_muted, by: 'host' })
    const isMuted = (room: RoomState, id: string) => room.participants.get(id)?.roster.is_muted

    test('apply in the order of their numbers, whatever the order of arrival, and once', () => {
      const room = buildRoom()
      const second: RoomChange = { type: 'committed', number: 2, changes: [mute('a', false)] }
      expect(room.apply(second).events).toEqual([])
      const { events } = room.apply({ type: 'committed', number: 1, changes: [mute('a', true)] })
      expect(events.map(({ event }) => event.data)).toMatchObject([{ is_muted: true }, { is_muted: false }])
      expect(room.apply(second).events).toEqual([])
      expect([isMuted(room, 'a'), room.changeNumber]).toEqual([false, 2])
    })

    test('are made up for from the database, and not applied again when they come late', () => {
      const room = buildRoom()
      room.apply({ type: 'committed', number: 3, changes: [mute('b', true)] })
      const stored = {
        id: 'room',
        changeNumber: 2,
        meetingId: null,
        hostMuteAll: true,
        inMeeting: new Set<string>(),
        roster: [
          { ...entry('a'), is_muted: true },
          { ...entry('b'), is_muted: false },
        ],
        host: entry('host'),
      }
      const catchUp = buildReconcilingChange(room, stored, 1)
      const { events } = room.apply(catchUp)
      expect(events.map(({ event }) => event)).toMatchObject([
        { name: 'host-mute-all', data: { active: true } },
        { name: 'user-mute-status', data: { user_id: 'b', is_muted: false } },
        { name: 'user-mute-status', data: { user_id: 'b', is_muted: true } },
      ])
      expect([isMuted(room, 'a'), isMuted(room, 'b'), room.changeNumber]).toEqual([true, true, 3])
      expect(room.apply({ type: 'committed', number: 1, changes: [mute('a', false)] }).events).toEqual([])
      expect(room.apply(catchUp).events).toEqual([])
    })

    test('are not made up for by a comparison with a state that has passed', () => {
      const room = buildRoom()
      const [roster, host] = [[entry('a'), entry('b')], entry('host')]
      const stored = { id: 'room', changeNumber: 2, meetingId: null, hostMuteAll: false, inMeeting: new Set<string>() }
      const before = buildReconcilingChange(room, { ...stored, roster, host }, 1)
      room.apply({ type: 'committed', number: 1, changes: [mute('a', true)] })
      room.apply(before)
      expect([isMuted(room, 'a'), room.changeNumber]).toEqual([true, 1])
      room.apply(buildReconcilingChange(room, { ...stored, roster, host }, 1))
      expect([isMuted(room, 'a'), room.changeNumber]).toEqual([false, 2])
    })
  })
})
