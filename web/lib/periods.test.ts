import { expect, test } from 'vitest'
import { formatSpan, type Preset, periodFault, presetOf, presetPeriod } from './periods.ts'

const NOW = Date.parse('2026-03-01T00:30:00Z')

test.each<[Preset, string, string]>([
  ['Today', '2026-03-01', '2026-03-01'],
  ['Yesterday', '2026-02-28', '2026-02-28'],
  ['Last 7 days', '2026-02-23', '2026-03-01'],
  ['Last 30 days', '2026-01-31', '2026-03-01'],
])('%s is from %s to %s', (preset, from, to) => {
  expect(presetPeriod(preset, NOW)).toEqual({ from, to })
  expect(presetOf({ from, to }, NOW)).toBe(preset)
})

test('other days are none of them', () => {
  expect(presetOf({ from: '2026-02-01', to: '2026-03-01' }, NOW)).toBeNull()
})

test.each([
  ['2026-01-01', '2026-12-31', null],
  ['2026-01-01', '2026-01-01', null],
  ['2026-01-02', '2026-01-01', 'The last day must not be before the first'],
  ['2025-01-01', '2026-01-02', 'At most 366 days at a time'],
  ['', '2026-01-01', 'Please choose both days'],
  ['20260-01-01', '20260-01-02', 'Please choose both days'],
])('from %s to %s: %s', (from, to, fault) => {
  expect(periodFault({ from, to }, 366)).toBe(fault)
})

test.each([
  [0, '0s'],
  [59, '59s'],
  [60, '1m'],
  [3599, '59m'],
  [3600, '1h 0m'],
  [90_061, '25h 1m'],
])('%i seconds read as %s', (seconds, text) => {
  expect(formatSpan(seconds)).toBe(text)
})
