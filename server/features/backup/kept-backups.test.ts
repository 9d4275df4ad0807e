import { expect, test } from 'vitest'
import { backupName, findBackups, findExpiredBackups } from './kept-backups.ts'

const NOW = Date.parse('2026-11-28T20:00:00Z')
const DAY = 86_400_000
const daily = (count: number) => Array.from({ length: count }, (_, n) => backupName(NOW - n * DAY))
const keptOf = (names: string[], days: number, weeks: number, months: number) => {
  const backups = findBackups(names)
  const expired = findExpiredBackups(backups, { days, weeks, months }, NOW)
  return backups.filter((one) => !expired.includes(one)).map(({ name }) => name.slice(7, 17))
}

test('a backup is named by its time, and found by its name alone', () => {
  expect(backupName(NOW)).toBe('parley-2026-11-28T20-00-00Z.tar.age')
  const others = [
    'parley-2026-11-28.tar.age',
    'notes.txt',
    'x-parley-2026-11-28T20-00-00Z.tar.age',
    'parley-2026-99-99T20-00-00Z.tar.age',
  ]
  const part = `${backupName(NOW)}.part`
  expect(findBackups([...others, part, backupName(NOW)])).toEqual([{ name: backupName(NOW), time: NOW }])
  expect(findBackups([...others, part, backupName(NOW)], true)).toEqual([{ name: part, time: NOW }])
})

test.each([
  ['daily ones', daily(10), [3, 0, 0], ['2026-11-28', '2026-11-27', '2026-11-26']],
  ['weekly ones, the newest of each', daily(30), [0, 3, 0], ['2026-11-28', '2026-11-22', '2026-11-15']],
  ['monthly ones, the newest of each', daily(70), [0, 0, 3], ['2026-11-28', '2026-10-31', '2026-09-30']],
  ['all three', daily(400), [7, 4, 12], null],
  ['the newest, whatever the rule', daily(10).slice(5), [0, 0, 0], ['2026-11-23']],
  [
    'all of the last day',
    [0, 1, 2, 30].map((hours) => backupName(NOW - hours * 3_600_000)),
    [0, 0, 0],
    ['2026-11-28', '2026-11-28', '2026-11-28'],
  ],
  [
    'those of before a long pause',
    [backupName(NOW), ...daily(400).slice(390)],
    [2, 0, 0],
    ['2026-11-28', '2025-11-03'],
  ],
  ['nothing where there is none', [], [7, 4, 12], []],
])('the rule keeps %s', (_which, names, [days = 0, weeks = 0, months = 0], expected) => {
  const kept = keptOf(names, days, weeks, months)
  if (expected) expect(kept).toEqual(expected)
  else {
    expect(kept.slice(0, 7)).toEqual(daily(7).map((name) => name.slice(7, 17)))
    expect(kept).toContain('2025-12-31')
    expect(kept.length).toBeGreaterThan(18)
    expect(kept.length).toBeLessThanOrEqual(23)
  }
})
