import { createHash } from 'node:crypto'

const TOPICS = ['Evening reading', 'Questions and answers', 'Guest speaker', 'Open table'] as const
/** Days before today; the oldest is just inside the six months that the console shows. */
const DAYS_AGO = [2, 9, 16, 30, 44, 58, 73, 90, 108, 127, 149, 174]
/** Short, since each is a file of its stated length. */
const MINUTES = [9, 6, 12, 8, 5, 11, 4, 7, 14, 6, 10, 8]
const DAY_MS = 86_400_000
const EVENING_HOUR = 18

export type SampleRecording = { uuid: string; topic: string; start_time: string; duration_minutes: number }

/** Returns a dozen evenings over six months, with the same ids at each start. */
export function sampleRecordings(now: number): SampleRecording[] {
  const today = now - (now % DAY_MS)
  return DAYS_AGO.map((days, index) => ({
    uuid: createHash('md5').update(`sample recording ${index}`).digest('base64'),
    topic: `Evening Study Circle: ${TOPICS[index % TOPICS.length]}`,
    start_time: new Date(today - days * DAY_MS + EVENING_HOUR * 3_600_000).toISOString(),
    duration_minutes: MINUTES[index] ?? 60,
  }))
}
