import { z } from 'zod'
import { SpeakingTime } from './attendance.ts'
import { answer } from './envelope.ts'

/** The most speeches that a recording's answer has. Further ones are left out, the latest first. */
export const RECORDED_SPEECHES_MAX = 5_000

/** A time that a user spoke, in seconds from the start of the recording; it may begin before it and end after it. */
export const RecordedSpeech = z.object({
  id: z.string(), // the user's
  from_seconds: z.number(),
  to_seconds: z.number(),
})
export type RecordedSpeech = z.infer<typeof RecordedSpeech>

export const RecordingSpeakers = z.object({
  speakers: z.array(SpeakingTime), // within the recording, the longest first
  speeches: z.array(RecordedSpeech), // in the order of their start
  has_more: z.boolean(), // some speeches were left out
})
export type RecordingSpeakers = z.infer<typeof RecordingSpeakers>

export const RecordingSpeakersAnswer = answer(RecordingSpeakers)
