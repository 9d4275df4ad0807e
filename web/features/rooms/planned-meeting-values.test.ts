import { expect, test } from 'vitest'
import { timeZones } from './planned-meeting-values.ts'

test('zones are offered once each, by the names that are in use', () => {
  const zones = timeZones('America/Argentina/Ushuaia')
  expect(zones).toEqual(expect.arrayContaining(['Asia/Kolkata', 'Europe/Kyiv', 'America/Argentina/Ushuaia', 'UTC']))
  expect(zones).not.toContain('Asia/Calcutta')
  expect(new Set(zones).size).toBe(zones.length)
})
