import { expect, test } from 'vitest'
import type { RoomUser } from '../../shared/room-users.ts'
import { listedUser } from '../../test/factories/listed.ts'
import { parseUsers } from './parse-users.ts'

/** Copies the users, as each answer from the network is made of new objects. */
const sent = (...users: RoomUser[]): unknown[] => JSON.parse(JSON.stringify(users))
const pending = (id: string) => listedUser('b', { pending_command: { id, type: 'mute' } })
const known = (...users: RoomUser[]) => new Map(parseUsers(sent(...users), new Map()).map((user) => [user.id, user]))

test('an unchanged user is the same object in the next list', () => {
  const before = known(listedUser('a'), pending('1'))
  const [b, a] = parseUsers(sent(pending('1'), listedUser('a')), before)
  expect(a).toBe(before.get('a'))
  expect(b).toBe(before.get('b'))
})

test.each([
  ['a field', listedUser('b', { is_speaking: true })],
  ['a pending command', pending('2')],
  ['a pending command that was acknowledged', listedUser('b')],
])('a changed user is parsed again: %s', (_, changed) => {
  expect(parseUsers(sent(changed), known(pending('1')))).toEqual([changed])
})

test.each<[string, unknown]>([
  ['too few fields', { id: 'a' }],
  ['a field of another type', { ...listedUser('a'), is_muted: 'yes' }],
  ['no object', 7],
])('a list with an invalid user is refused: %s', (_, raw) => {
  expect(() => parseUsers([raw], new Map())).toThrow()
  expect(() => parseUsers([raw], known(listedUser('a')))).toThrow()
})

test('a user who has left is not in the next list', () => {
  expect(parseUsers([], known(listedUser('a')))).toEqual([])
})
