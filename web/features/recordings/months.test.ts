import { expect, test } from 'vitest'
import { monthOf, monthsOf } from './months.ts'

const at = (year: number, month: number, day: number, hour = 12) => ({
  created_at: new Date(year, month - 1, day, hour).toISOString(),
})

test('a recording belongs to the month of the day that it shows', () => {
  expect(monthOf(at(2026, 11, 1, 0))).toBe('2026-11')
  expect(monthOf(at(2026, 10, 31, 23))).toBe('2026-10')
})

test('months with recordings are listed, the latest first, across a new year', () => {
  const recordings = [at(2026, 1, 3), at(2025, 12, 31), at(2026, 1, 1), at(2025, 9, 2)]
  expect(monthsOf(recordings)).toEqual([
    { value: '2026-01', label: 'January 2026 (2)' },
    { value: '2025-12', label: 'December 2025 (1)' },
    { value: '2025-09', label: 'September 2025 (1)' },
  ])
  expect(monthsOf([])).toEqual([])
})
