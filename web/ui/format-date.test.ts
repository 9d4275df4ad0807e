import { expect, test } from 'vitest'
import { formatShortMoment } from './format-date.ts'

const iso = (...parts: [number, number, number, number, number]) => new Date(...parts).toISOString()
const NOW = new Date(2026, 10, 23, 9, 30).getTime()

test.each([
  [iso(2026, 10, 23, 8, 5), 'Today, 08:05'],
  [iso(2026, 10, 22, 14, 5), '22 Nov, 14:05'],
  [iso(2025, 10, 23, 8, 5), '23 Nov 2025'],
])('%s is written as %s', (at, words) => {
  expect(formatShortMoment(at, NOW)).toBe(words)
})
