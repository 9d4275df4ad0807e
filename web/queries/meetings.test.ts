import { expect, test } from 'vitest'
import type { MeetingSummary } from '../../shared/meetings.ts'
import { pollInterval } from './meetings.ts'

const counts = { users: 0, peak: 0, spoke_seconds: 0, recordings: 0, acts: 0, note: null }
const ended: MeetingSummary = {
  id: 'one',
  started_at: '2026-11-20T12:00:00Z',
  ended_at: '2026-11-20T13:00:00Z',
  ...counts,
}
const running = { ...ended, ended_at: null }

test.each([
  [[], false],
  [[[]], false],
  [[[ended]], false],
  [[[running, ended]], 15_000],
  [[[running], [ended], [ended]], 45_000], // still four requests a minute
])('a list with the pages %j is polled after %s ms', (pages, interval) => {
  expect(pollInterval(pages.map((meetings) => ({ meetings })))).toBe(interval)
})
