import { describe, expect, test } from 'vitest'
import { listedUser as aUser } from '../../../../test/factories/listed.ts'
import { nextOrder, type SortedColumn, sortUsers } from './list-order.ts'
import { tileOrder } from './TileOrder.tsx'

const at = (minute: number) => `2026-11-21T10:${minute}:00Z`
const users = [
  aUser('c', { username: 'User 10', user_id: 'U3', is_muted: true, reference: 'Alto', login_time: at(10) }),
  aUser('b', {
    username: 'user 9',
    user_id: 'U20',
    wants_to_speak: true,
    wants_to_speak_at: at(30),
    device_model: 'B',
  }),
  aUser('a', {
    username: 'Ämne',
    user_id: 'U1',
    is_speaking: true,
    speaking_since: at(20),
    reference: 'Bass',
    spoken_ms: 5,
  }),
]
const sorted = (column: SortedColumn, isDescending = false) =>
  sortUsers(users, { column, isDescending })
    .map(({ id }) => id)
    .join('')

describe('the list', () => {
  test.each<[SortedColumn, string]>([
    ['name', 'abc'],
    ['user_id', 'acb'],
    ['reference', 'cab'],
    ['state', 'abc'],
    ['since', 'cab'],
    ['phone', 'cab'],
  ])('is sorted by %s', (column, order) => {
    expect(sorted(column)).toBe(order)
  })

  test('tiles are sorted by time spoken, the longest first', () => {
    expect(sortUsers(users, tileOrder('spoken'))[0]?.id).toBe('a')
    expect(sortUsers(users, tileOrder('arrival'))).toBe(users)
  })

  test('is sorted up, down, and not', () => {
    const up = nextOrder(null, 'name')
    const down = nextOrder(up, 'name')
    expect([up, down, nextOrder(down, 'name')]).toEqual([
      { column: 'name', isDescending: false },
      { column: 'name', isDescending: true },
      null,
    ])
    expect(nextOrder(down, 'state')).toEqual({ column: 'state', isDescending: false })
    expect(sorted('name', true)).toBe('cba')
    expect(sortUsers(users, null)).toBe(users)
  })
})
