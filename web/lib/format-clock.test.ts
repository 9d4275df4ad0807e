import { expect, test } from 'vitest'
import { formatClock } from './format-clock.ts'

test.each([
  [-3, '0:00'],
  [0, '0:00'],
  [9.9, '0:09'],
  [61, '1:01'],
  [3599, '59:59'],
  [3661, '1:01:01'],
  [Number.NaN, '0:00'],
  [Number.POSITIVE_INFINITY, '0:00'],
])('%d seconds read as %s', (seconds, text) => {
  expect(formatClock(seconds)).toBe(text)
})
