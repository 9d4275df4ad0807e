import { expect, test } from 'vitest'
import { lastSixMonths } from './last-six-months.ts'

test.each([
  [new Date(2026, 10, 21), '2026-05-21', '2026-11-21'],
  [new Date(2026, 2, 5), '2025-09-05', '2026-03-05'],
  [new Date(2026, 7, 31), '2026-02-28', '2026-08-31'],
  [new Date(2028, 7, 31), '2028-02-29', '2028-08-31'],
  [new Date(2026, 11, 31), '2026-06-30', '2026-12-31'],
])('seen on %s, recordings are listed from %s to %s', (today, from, to) => {
  expect(lastSixMonths(today)).toEqual({ from, to })
})
