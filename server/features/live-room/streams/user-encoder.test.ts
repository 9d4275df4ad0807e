import { expect, test, vi } from 'vitest'
import { buildRoomState, randomChange, seeded } from '../../../../test/factories/random-changes.ts'
import { newParticipant, roomUserOf } from '../state/participant.ts'
import { UserEncoder } from './user-encoder.ts'

const EMPTY = { success: true as const, data: { users: [], next_user_id: 'U000001' }, floor_user_id: null }

test.each([1, 2, 3, 4])('a list is what it would be if it were encoded anew after every change (seed %i)', (seed) => {
  const [random, room, encoder] = [seeded(seed), buildRoomState(), new UserEncoder()]
  for (let step = 0; step < 600; step++) {
    room.apply(randomChange(random, 1_000 + step))
    const users = room.participants.users()
    for (const roomHasZoom of [room.meetingId !== null, random(2) === 1]) {
      const list = JSON.parse(encoder.encode(EMPTY, users, roomHasZoom).toString())
      expect(list).toEqual({
        ...EMPTY,
        data: { ...EMPTY.data, users: users.map((one) => roomUserOf(one, roomHasZoom)) },
      })
    }
  }
})

const [participant] = buildRoomState().participants.users()
if (!participant) throw new Error('The room is empty')

/** Another value for each field, except those that no list shows. */
const others = {
  ...{ is_online: true, is_asleep: true, is_speaking: true, speaking_since: 7_000, speaker_on: true },
  ...{ wants_to_speak: true, wants_to_speak_at: 7_000, asked_to_speak: true, audio: 'on' as const },
  ...{ microphone: 'blocked' as const, zoom_code: 3_001, in_meeting: true },
  spoken: { ms: 61_000, turns: 1, last: null },
  pending: { id: 'epoch-1', type: 'mute' as const, seq: 1 },
  roster: { ...participant.roster, username: 'Another name' },
}

test.each(Object.entries(others))('a change of %s is seen', (field, value) => {
  const encoder = new UserEncoder()
  const user = { ...newParticipant(participant.roster), is_speaking: field === 'speaking_since' }
  const before = encoder.encode(EMPTY, [user], true)
  expect(encoder.encode(EMPTY, [user], true)).toEqual(before)
  expect(encoder.encode(EMPTY, [Object.assign(user, { [field]: value })], true)).not.toEqual(before)
})

test('a change of one user encodes that one alone', () => {
  const encoder = new UserEncoder()
  const users = Array.from({ length: 1_000 }, (_, n) => newParticipant({ ...participant.roster, id: `${n}` }))
  encoder.encode(EMPTY, users, true)
  Object.assign(users[500] ?? {}, { is_online: true })
  const encode = vi.spyOn(JSON, 'stringify')
  encoder.encode(EMPTY, users, true)
  expect(encode).toHaveBeenCalledTimes(2) // the answer around them, and the one
  encode.mockRestore()
})

test('what is kept of a user holds no pool of buffers, which could be a hundred times as long', () => {
  const concat = vi.spyOn(Buffer, 'concat')
  new UserEncoder().encode(EMPTY, [participant], true)
  const user = concat.mock.lastCall?.[0][1]
  expect(user?.buffer.byteLength).toBe(user?.length)
  concat.mockRestore()
})
