import { expect, test } from 'vitest'
import { connectionState } from './use-live-room.ts'

test.each([
  ['just answered', 10_000, 0, 10_020, 'live'],
  ['answered 4,999 ms ago', 10_000, 0, 14_999, 'live'],
  ['silent for 5 s', 10_000, 0, 15_000, 'stale'],
  ['back from hiding', 10_000, 60_000, 60_100, 'reconnecting'],
  ['back from hiding, still nothing', 10_000, 60_000, 61_500, 'stale'],
  ['back from hiding, and answered', 60_050, 60_000, 61_500, 'live'],
] as const)('%s', (_, lastContactAt, visibleSince, now, expected) => {
  expect(connectionState(lastContactAt, visibleSince, now)).toBe(expected)
})
