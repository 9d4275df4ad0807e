import { expect, test } from 'vitest'
import { connection } from './connection.ts'

test.each([
  ['just heard', 10_000, 0, 10_020, 'live'],
  ['heard 4,999 ms ago', 10_000, 0, 14_999, 'live'],
  ['silent for 5 s', 10_000, 0, 15_000, 'stale'],
  ['back from hiding', 10_000, 60_000, 60_100, 'reconnecting'],
  ['back from hiding, still nothing', 10_000, 60_000, 61_500, 'stale'],
  ['back from hiding, and heard', 60_050, 60_000, 61_500, 'live'],
] as const)('%s', (_, heardAt, shownAt, now, expected) => {
  expect(connection(heardAt, shownAt, now)).toBe(expected)
})
