import { expect, test } from 'vitest'
import { lastSixMonths } from './last-six-months.ts'

test.each([
  ['2026-11-21', '2026-05-21', '2026-11-21'],
  ['2026-03-05', '2025-09-05', '2026-03-05'],
  ['2026-08-31', '2026-02-28', '2026-08-31'],
  ['2028-08-31', '2028-02-29', '2028-08-31'],
  ['2026-12-31', '2026-06-30', '2026-12-31'],
])('on %s lists recordings from %s to %s', (today, from, to) => {
  expect(lastSixMonths(Temporal.PlainDate.from(today))).toEqual({ from, to })
})
