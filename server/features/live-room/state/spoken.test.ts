import { expect, test } from 'vitest'
import { buildRoomState } from '../../../../test/factories/random-changes.ts'
import type { RoomChange } from './room-change.ts'
import { decodeRoom, encodeRoom } from './room-codec.ts'
import type { RoomSnapshot } from './room-snapshot.ts'
import { RoomState } from './room-state.ts'
import { QUIET_MS } from './spoken.ts'

const S = 1_000
const host = { id: 'h', name: 'host', role: 'host' as const }
const actAt = (at: number) => ({ act: '1', action: 'user_mute', at: new Date(at).toISOString(), by: host })
const speaking = (id: string, at: number, is_speaking: boolean): RoomChange => ({
  type: 'status',
  id,
  at,
  status: { is_speaking, speaker_on: true },
})
const spokenIn = (room: RoomState) =>
  room.participants.users().map(({ spoken }) => (spoken ? [spoken.ms, spoken.turns] : null))

function buildRoom(): RoomState {
  const room = buildRoomState()
  for (const id of ['a', 'b']) room.apply({ type: 'online', id, at: S })
  return room
}

test('a speech counts once, with its pauses, however often it goes on', () => {
  const room = buildRoom()
  for (const [at, is_speaking] of [
    [10 * S, true],
    [20 * S, false],
    [22 * S, true], // a pause
    [40 * S, false],
    [60 * S, true],
    [65 * S, false],
    [90 * S, true],
    [90.5 * S, false], // a cough
  ] as const)
    room.apply(speaking('a', at, is_speaking))
  expect(spokenIn(room)).toEqual([[35 * S, 0], null, null])
})

test('a mute, a Mute All and the end of a turn end a speech where they were made', () => {
  const room = buildRoom()
  for (const id of ['a', 'b']) room.apply(speaking(id, 10 * S, true))
  room.apply({ type: 'mute', ids: ['a'], is_muted: true, by: 'system', at: 13 * S })
  room.apply({ type: 'mute-all', active: true, except: [], act: actAt(15 * S) })
  expect(spokenIn(room)).toEqual([[3 * S, 0], [5 * S, 0], null])
})

test('a phone that vanishes has spoken until its last sign of life', () => {
  const room = buildRoom()
  room.apply(speaking('a', 10 * S, true))
  room.apply({ type: 'offline', users: [{ id: 'a', at: 14 * S }] })
  expect(spokenIn(room)[0]).toEqual([4 * S, 0])
})

test('a turn is a hand that was up when the user was let speak', () => {
  const room = buildRoom()
  room.apply({ type: 'mute-all', active: true, except: [], act: actAt(5 * S) })
  const allow = (ids: string[]) => room.apply({ type: 'mute', ids, is_muted: false, by: 'host', act: actAt(9 * S) })
  room.apply({ type: 'status', id: 'a', at: 6 * S, status: { wants_to_speak: true } })
  allow(['a', 'b'])
  expect(spokenIn(room)).toEqual([[0, 1], null, null])
  allow(['a'])
  room.apply({ type: 'mute-all', active: true, except: [], act: actAt(9 * S) })
  room.apply({ type: 'status', id: 'a', at: 10 * S, status: { wants_to_speak: true } })
  room.apply({ type: 'mute-all', active: false, except: [], act: actAt(11 * S) })
  expect(spokenIn(room)).toEqual([[0, 1], null, null])
})

const begin = (sitting: string | null | undefined): RoomChange => ({
  type: 'meeting-runs',
  is_running: sitting !== null,
  ...(sitting !== undefined && { sitting }),
})

function speakFiveSeconds(room: RoomState, at: number): void {
  room.apply(speaking('a', at, true))
  room.apply(speaking('a', at + 5 * S, false))
}

test('another meeting, and the end of one, begin anew; the same one that is told again does not', () => {
  const room = buildRoom()
  speakFiveSeconds(room, 10 * S)
  room.apply(begin('first'))
  expect(spokenIn(room)[0]).toBeNull()
  for (const told of ['first', undefined]) {
    speakFiveSeconds(room, (told ? 30 : 50) * S)
    room.apply(begin(told))
  }
  expect(spokenIn(room)[0]).toEqual([10 * S, 0])
  const { version } = room
  room.apply(begin('second'))
  expect(spokenIn(room)[0]).toBeNull()
  expect(room.version).toBe(version + 1)
  speakFiveSeconds(room, 70 * S)
  room.apply(begin(null))
  expect(spokenIn(room)[0]).toBeNull()
})

test('a room without a meeting at Zoom begins anew once it has been empty, and quiet for long', () => {
  const room = buildRoom()
  speakFiveSeconds(room, 10 * S)
  const [ended, later] = [15 * S, 15 * S + QUIET_MS]
  const leave = (id: string, at: number) => room.apply({ type: 'offline', users: [{ id, at }] })
  leave('a', ended)
  room.apply({ type: 'online', id: 'a', at: later }) // b is still there
  expect(spokenIn(room)[0]).toEqual([5 * S, 0])
  for (const id of ['a', 'b']) leave(id, later)
  room.apply({ type: 'online', id: 'a', at: later + S }) // all phones were away for a second
  expect(spokenIn(room)[0]).toEqual([5 * S, 0])
  leave('a', later + S)
  room.apply({ type: 'online', id: 'a', at: later + S + QUIET_MS })
  expect(spokenIn(room)[0]).toBeNull()
})

test('another server goes on with it, and with a snapshot of the former release it begins anew', () => {
  const room = buildRoom()
  room.apply(begin('first'))
  room.apply(speaking('a', 10 * S, true))
  room.apply(speaking('a', 15 * S, false))
  const follower = new RoomState(decodeRoom(encodeRoom(room.toSnapshot())))
  for (const one of [room, follower]) {
    one.apply(speaking('a', 17 * S, true))
    one.apply(speaking('a', 20 * S, false))
    expect(spokenIn(one)[0]).toEqual([10 * S, 0])
  }
  const { sitting: _, spokenAt: __, ...former }: RoomSnapshot = room.toSnapshot()
  const participants = former.participants.map(({ spoken: ___, ...one }) => one)
  const taken = new RoomState({ ...former, participants })
  speakFiveSeconds(taken, 40 * S)
  expect(spokenIn(taken)[0]).toEqual([5 * S, 0])
})
