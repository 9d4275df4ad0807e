import { expect, test, vi } from 'vitest'
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

test.each([
  ['Asia/Kolkata', '24 Nov 2026'],
  ['America/Los_Angeles', '23 Nov 2026'],
])('a day of a subscription is the same in %s, where a moment then has the day %s', async (zone, day) => {
  vi.stubEnv('TZ', zone)
  vi.resetModules()
  const { formatDay, formatUtcDay } = await import('./format-date.ts')
  expect(formatDay('2026-11-24T01:00:00Z')).toBe(day)
  for (const at of ['2026-11-24T01:00:00Z', '2026-11-24T23:59:59Z']) expect(formatUtcDay(at)).toBe('24 Nov 2026')
})
