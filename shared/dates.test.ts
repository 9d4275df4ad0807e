import { expect, test } from 'vitest'
import { Day, DayOrTime } from './dates.ts'

test.each(['', 'x', '2026-02-30', '2026-2-1', '0001-01-01', '9999-12-31', '2026-11-21T10:00:00Z'])(
  'refuses the day %j, with one error',
  (text) => {
    expect(Day.safeParse(text).error?.issues.map(({ message }) => message)).toEqual(['This is not a day'])
  },
)

test.each([
  ['2026-11-21', true],
  ['2028-02-29', true],
  ['2026-11-21T10:00:00Z', true],
  ['2026-11-21T10:00:00.123+05:30', true],
  ['2026-11-21T10:00:00', false],
  ['2026-02-29', false],
  ['0000-01-01', false],
])('reads %j as a day or a time: %s', (text, isOne) => {
  expect(DayOrTime.safeParse(text).success).toBe(isOne)
})
