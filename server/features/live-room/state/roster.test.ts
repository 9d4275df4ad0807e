import { expect, test } from 'vitest'
import { nextUserId } from './roster.ts'

test.each([
  [[], 'U000001'],
  [['U000001', 'U000002'], 'U000003'],
  [['u000007', 'U000002'], 'U000008'],
  [['\uff35\uff10\uff10\uff10\uff10\uff10\uff19'], 'U000010'],
  [['Ana', 'U7', 'U0000123', 'XU000005'], 'U000001'],
  [['U999999', 'U000001', 'U000003'], 'U000002'],
  [['U999998'], 'U999999'],
])('after %j suggests %s', (ids, next) => {
  expect(nextUserId(ids.map((user_id) => ({ user_id })))).toBe(next)
})
