import { afterEach, describe, expect, test, vi } from 'vitest'
import { formatSpan, includesNow, type Preset, periodBounds, periodFault, presetOf, presetPeriod } from './periods.ts'

const NOW = Date.parse('2026-03-01T00:30:00Z')

afterEach(() => {
  vi.restoreAllMocks()
})

function inZone(timeZone: string) {
  const options = new Intl.DateTimeFormat('en', { timeZone: 'UTC' }).resolvedOptions()
  vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({ ...options, timeZone })
}

describe("days are those of the reader's time zone", () => {
  test.each([
    ['Asia/Kolkata', '2026-11-20T23:45:00Z', '2026-11-21'],
    ['America/New_York', '2026-11-21T01:00:00Z', '2026-11-20'],
    ['Pacific/Auckland', '2026-11-20T11:00:00Z', '2026-11-21'],
  ])('in %s, %s is on %s', (zone, now, day) => {
    inZone(zone)
    expect(presetPeriod('Today', Date.parse(now))).toEqual({ from: day, to: day })
    expect(includesNow({ from: day, to: day }, Date.parse(now))).toBe(true)
  })

  test.each([
    ['Asia/Kolkata', '2026-11-21', '2026-11-20T18:30:00.000Z', '2026-11-21T18:29:59.999Z'],
    ['America/New_York', '2026-11-01', '2026-11-01T04:00:00.000Z', '2026-11-02T04:59:59.999Z'],
    ['Pacific/Auckland', '2026-09-27', '2026-09-26T12:00:00.000Z', '2026-09-27T10:59:59.999Z'],
  ])('in %s, %s is from %s to %s', (zone, day, from, to) => {
    inZone(zone)
    expect(periodBounds({ from: day, to: day })).toEqual({ from, to })
    expect(includesNow({ from: day, to: day }, Date.parse(from) - 1)).toBe(false)
    expect(includesNow({ from: day, to: day }, Date.parse(to) + 1)).toBe(false)
  })
})

test.each<[Preset, string, string]>([
  ['Today', '2026-03-01', '2026-03-01'],
  ['Yesterday', '2026-02-28', '2026-02-28'],
  ['Last 7 days', '2026-02-23', '2026-03-01'],
  ['Last 30 days', '2026-01-31', '2026-03-01'],
])('%s is from %s to %s', (preset, from, to) => {
  inZone('UTC')
  expect(presetPeriod(preset, NOW)).toEqual({ from, to })
  expect(presetOf({ from, to }, NOW)).toBe(preset)
})

test('other days are none of them', () => {
  inZone('UTC')
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
