import { createHash } from 'node:crypto'

const TOPICS = ['Evening reading', 'Questions and answers', 'Guest speaker', 'Open table'] as const
/** Days before today; the oldest is just inside the six months that the console shows. */
const DAYS_AGO = [2, 9, 16, 30, 44, 58, 73, 90, 108, 127, 149, 174]
/** Short, since each is a file of its stated length. */
const MINUTES = [9, 6, 12, 8, 5, 11, 4, 7, 14, 6, 10, 8]
/** Said in one evening each, so that a search finds that one. */
const SPOKEN = [
  ['The author waits a whole page before she answers.', 'I read this passage aloud to my daughter.'],
  ['How do you keep a promise that nobody remembers?', 'The ferry was late, and so was I.'],
  ['Our guest has kept bees for thirty years.', 'A hive decides without a vote.'],
  ['I planted an olive tree the week my son was born.', 'We owe the neighbours a visit.'],
  ['After the harvest the whole village ate together.', 'They shared the bread before they counted the sacks.'],
  ['Is it a lie to say nothing?', 'My grandfather mended clocks and never wore one.'],
  ['Our guest teaches drawing in a hospital.', 'A line is a decision, he tells them.'],
  ['We walked to the lighthouse and back in the rain.', 'The kettle was the best part of it.'],
  ['Chapter seven is about a letter that was never sent.', 'Keep the letter, burn the anger.'],
  ['What would you ask your teacher today?', 'I would ask for the recipe.'],
  ['Our guest drives the night train to the border.', 'You learn who talks when it is dark.'],
  ['The choir begins again in autumn.', 'Bring a chair and a blanket.'],
] as const
const SPEAKERS = ['Amara Nwosu', 'Amina Yusuf', 'Thandiwe Nkosi', 'Pierre Lefèvre', 'Mei-Ling Chen', 'João Carvalho']
const DAY_MS = 86_400_000
const EVENING_HOUR = 18

export type SampleRecording = {
  uuid: string
  topic: string
  start_time: string
  duration_minutes: number
  speakers: readonly string[]
  spoken: readonly string[]
}

/** Returns a dozen evenings over six months, with the same ids at each start. */
export function sampleRecordings(now: number): SampleRecording[] {
  const today = now - (now % DAY_MS)
  return DAYS_AGO.map((days, index) => ({
    uuid: createHash('md5').update(`sample recording ${index}`).digest('base64'),
    topic: `Evening Study Circle: ${TOPICS[index % TOPICS.length]}`,
    start_time: new Date(today - days * DAY_MS + EVENING_HOUR * 3_600_000).toISOString(),
    duration_minutes: MINUTES[index] ?? 60,
    speakers: [...SPEAKERS.slice(0, 1), ...SPEAKERS.slice(1 + (index % 3))],
    spoken: SPOKEN[index] ?? [],
  }))
}
