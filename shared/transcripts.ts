import { z } from 'zod'
import { answer } from './envelope.ts'
import { Recording } from './recordings.ts'

export const TranscriptLine = z.object({
  start_ms: z.number().int(), // from the beginning of the recording
  end_ms: z.number().int(),
  speaker: z.string().nullable(), // null where Zoom did not recognise who spoke
  text: z.string(),
})
export type TranscriptLine = z.infer<typeof TranscriptLine>

export const RecordingTranscript = z.object({
  status: z.enum(['none', 'waiting', 'read', 'damaged', 'too_large']),
  skipped_at_ms: z.number().int().nullable(), // the first place that could not be read
  lines: z.array(TranscriptLine),
})
export type RecordingTranscript = z.infer<typeof RecordingTranscript>
export const TranscriptAnswer = answer(RecordingTranscript)

export const SEARCH_LENGTH = { shortest: 2, longest: 100 } as const

export const RecordingSearchQuery = z.object({
  q: z
    .string()
    .trim()
    .min(SEARCH_LENGTH.shortest)
    .max(SEARCH_LENGTH.longest)
    .describe('Every word must be in a line, in any order; of the last one the beginning is enough.'),
})

export const FoundRecording = z.object({
  recording: Recording,
  lines: z.array(TranscriptLine),
  has_more_lines: z.boolean(),
})
export type FoundRecording = z.infer<typeof FoundRecording>

export const FoundRecordings = z.object({ found: z.array(FoundRecording), has_more: z.boolean() })
export type FoundRecordings = z.infer<typeof FoundRecordings>
export const FoundRecordingsAnswer = answer(FoundRecordings)
