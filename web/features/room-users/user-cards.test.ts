import { expect, test } from 'vitest'
import { buildRoomUser } from '../../../test/build-room-user.ts'
import { isCounted, usersSummary } from './user-cards.ts'

test('a stopped user who is still online counts in both numbers', () => {
  const users = [
    buildRoomUser('a'),
    buildRoomUser('b', { is_online: false }),
    buildRoomUser('c', { is_active: false }),
    buildRoomUser('d', { is_active: false, is_online: false }),
  ]
  expect(usersSummary(users)).toEqual({ total: 4, online: 2, inactive: 2 })
})

test('each number filters the users it counts', () => {
  const users = [buildRoomUser('a', { is_active: false }), buildRoomUser('b'), buildRoomUser('c', { is_online: false })]
  const shown = (card: 'total' | 'online' | 'inactive') => users.filter(isCounted(card)).map(({ id }) => id)
  expect([shown('total'), shown('online'), shown('inactive')]).toEqual([['a', 'b', 'c'], ['a', 'b'], ['a']])
})
