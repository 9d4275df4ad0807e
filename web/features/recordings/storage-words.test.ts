import { expect, test } from 'vitest'
import { storageWords } from './storage-words.ts'

test.each([
  [0, 5, '0 of 5 GB of storage used', 0, false],
  [0.0015625, 25, '1.6 MB of 25 GB of storage used', 0.0000625, false],
  [1.234, 5, '1.2 GB of 5 GB of storage used', 0.2468, false],
  [9, 10, '9 GB of 10 GB of storage used', 0.9, true],
  [24.96, 25, '25 GB of 25 GB of storage used', 0.9984, true],
  [26, 25, '26 GB of 25 GB of storage used', 1, true],
])('%d of %d GB', (used_gb, limit_gb, words, share, isNearlyFull) => {
  expect(storageWords({ used_gb, limit_gb })).toEqual({ words, share: expect.closeTo(share), isNearlyFull })
})
