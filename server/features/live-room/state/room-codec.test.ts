import { describe, expect, test } from 'vitest'
import { buildRoomState, randomChange, seeded } from '../../../../test/factories/random-changes.ts'
import { decodeChange, decodeRoom, encodeChange, encodeRoom } from './room-codec.ts'
import { RoomState } from './room-state.ts'

describe('a room that another server goes on with', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])('publishes the same events under the same ids (seed %i)', (seed) => {
    const random = seeded(seed)
    const room = buildRoomState()
    const followers: RoomState[] = []
    for (let step = 0; step < 600; step++) {
      if (step % 60 === 30) followers.push(new RoomState(decodeRoom(encodeRoom(room.toSnapshot()))))
      const change = randomChange(random, 1_000 + step)
      const outcome = room.apply(change)
      for (const follower of followers) expect(follower.apply(decodeChange(encodeChange(change)))).toEqual(outcome)
    }
    expect(room.seq).toBeGreaterThan(50)
    for (const follower of followers) expect(follower.toSnapshot()).toEqual(room.toSnapshot())
  })

  test('is refused by a release that does not know its form', () => {
    const written = encodeRoom(buildRoomState().toSnapshot())
    for (const version of [2, 12])
      expect(() => decodeRoom(written.replace(/^1/, `${version}`))).toThrow(`cannot read version ${version}`)
  })
})

describe('a change from another server', () => {
  test.each([
    '{"type":"unknown"}',
    '{"type":"toString"}',
    '{"type":"online","id":"a"}',
    '{"type":"online","id":7,"at":1}',
    '{"type":"mute","ids":["a",null],"is_muted":true,"by":"host"}',
    '{"type":"offline","users":[{"id":"a"}]}',
    '{"type":"meeting","meeting_id":7}',
    '{"type":"committed","number":1,"changes":[{"type":"mute-all","active":"yes","except":[]}]}',
    '{"type":"word","word":{"id":"w","user_id":null,"text":7,"rings":true,"asks":true,"by":{"id":"h","name":"host"},"at":1}}',
    '{"type":"word-confirmed","id":"a","word":"w","answer":"loudly"}',
    'null',
    '[]',
  ])('%s is refused', (json) => {
    expect(() => decodeChange(`1${json}`)).toThrow('does not know')
  })
})
