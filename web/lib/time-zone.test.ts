import { afterEach, expect, test, vi } from 'vitest'
import { ownTimeZone } from './time-zone.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

test.each([
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['America/New_York', 'America/New_York'],
])('a browser in %s has the zone %s', (browser, zone) => {
  const options = new Intl.DateTimeFormat('en', { timeZone: 'UTC' }).resolvedOptions()
  vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({ ...options, timeZone: browser })
  expect(ownTimeZone()).toBe(zone)
})
