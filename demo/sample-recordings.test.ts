import { expect, test } from 'vitest'
import { sampleRecordings } from './sample-recordings.ts'

const DAY_MS = 86_400_000

test('spreads twelve evenings over the last six months, none in the future', () => {
  const now = Date.parse('2026-11-21T00:30:00Z')
  const starts = sampleRecordings(now).map((recording) => Date.parse(recording.start_time))
  expect(starts).toHaveLength(12)
  expect(Math.max(...starts)).toBeLessThan(now - DAY_MS)
  expect(Math.min(...starts)).toBeGreaterThan(now - 180 * DAY_MS)
  expect(Math.min(...starts)).toBeLessThan(now - 150 * DAY_MS)
})

test('makes the same recordings at a later start', () => {
  const uuids = (now: string) => sampleRecordings(Date.parse(now)).map((recording) => recording.uuid)
  expect(uuids('2026-11-21T10:00:00Z')).toEqual(uuids('2026-12-02T10:00:00Z'))
  expect(new Set(uuids('2026-11-21T10:00:00Z')).size).toBe(12)
})

test('has something of its own in each, such as a harvest in one', () => {
  const spoken = sampleRecordings(Date.parse('2026-11-21T10:00:00Z')).map((recording) => recording.spoken)
  expect(spoken.flat().filter((sentence) => /harvest/i.test(sentence))).toHaveLength(1)
  expect(new Set(spoken.flat()).size).toBe(24)
})
