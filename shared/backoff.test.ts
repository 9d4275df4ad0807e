import { expect, test } from 'vitest'
import { backoff } from './backoff.ts'

test('each wait is twice the one before, up to the longest', () => {
  const waits = [1, 2, 3, 4, 5, 2_000].map((attempt) => backoff(attempt, { first: 1_000, longest: 15_000 }))
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 15_000])
})
