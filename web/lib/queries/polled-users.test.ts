import { expect, test } from 'vitest'
import type { RoomUser } from '../../../shared/room-users.ts'
import { buildRoomUser } from '../../../test/build-room-user.ts'
import { polledUsers } from './polled-users.ts'

/** As it comes from the network: new objects each time. */
const sent = (...users: RoomUser[]): unknown => JSON.parse(JSON.stringify(users))
const pending = (id: string) => buildRoomUser('b', { pending_command: { id, type: 'mute' } })

test('who has not changed is the same object in the next answer', () => {
  const schema = polledUsers()
  const [a, b] = schema.parse(sent(buildRoomUser('a'), pending('1')))
  const [laterB, laterA] = schema.parse(sent(pending('1'), buildRoomUser('a')))
  expect(laterA).toBe(a)
  expect(laterB).toBe(b)
})

test.each([
  ['a field', buildRoomUser('b', { is_speaking: true })],
  ['a pending command', pending('2')],
  ['a pending command that was acknowledged', buildRoomUser('b')],
])('a change is seen: %s', (_, changed) => {
  const schema = polledUsers()
  schema.parse(sent(pending('1')))
  expect(schema.parse(sent(changed))).toEqual([changed])
})

test('what is no user is refused, the first time and later', () => {
  const schema = polledUsers()
  expect(schema.safeParse([{ id: 'a' }]).success).toBe(false)
  schema.parse(sent(buildRoomUser('a')))
  expect(schema.safeParse([{ ...buildRoomUser('a'), is_muted: 'yes' }]).success).toBe(false)
  expect(schema.safeParse([7]).success).toBe(false)
  expect(schema.safeParse({}).success).toBe(false)
})

test('who has left is forgotten', () => {
  const schema = polledUsers()
  schema.parse(sent(buildRoomUser('a')))
  expect(schema.parse(sent())).toEqual([])
})
