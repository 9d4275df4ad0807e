import { expect, test, vi } from 'vitest'
import { readDate, readServerTime, secondsSince, serverNow } from './server-clock.ts'

test('counts from the least delayed reading of the server’s time', () => {
  const now = vi.spyOn(performance, 'now')
  const readAt = (ms: number, iso: string) => {
    now.mockReturnValue(ms)
    readServerTime(iso)
  }
  const since = '2001-01-01T00:00:00Z' // far from the browser's own clock
  readAt(1000, '2001-01-01T00:00:10.000Z')
  expect(secondsSince(since, 1000)).toBe(10)
  readAt(2000, '2001-01-01T00:00:10.800Z')
  expect(secondsSince(since, 2000)).toBe(11)
  readAt(3000, '2001-01-01T00:00:12.300Z')
  expect(secondsSince(since, 3000)).toBe(12.3)
  now.mockRestore()
})

test('follows a server whose clock was set back, and never counts backwards', () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(0)
  readServerTime('2001-01-01T00:10:00Z')
  readServerTime('2001-01-01T00:05:00Z')
  expect(secondsSince('2001-01-01T00:04:00Z', 0)).toBe(60)
  expect(secondsSince('2001-01-01T00:06:00Z', 0)).toBe(0)
  now.mockRestore()
})

test.each([
  ['2026-12-31T10:20:30.400Z', '2026-11-21T10:20:30.400Z'],
  ['2026-11-11T10:20:30.400Z', '2026-11-21T10:20:30.400Z'],
  ['2026-11-21T10:20:31.400Z', '2026-11-21T10:20:31.400Z'],
])('at %s by the browser’s clock it is %s', (clock, time) => {
  const now = vi.spyOn(Date, 'now').mockReturnValue(Date.parse(clock))
  readDate('Sat, 21 Nov 2026 10:20:30 GMT')
  readDate(null)
  expect(Math.abs(serverNow() - Date.parse(time))).toBeLessThan(1000)
  now.mockRestore()
})
