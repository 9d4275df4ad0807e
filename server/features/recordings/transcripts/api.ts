import type { FastifySchema } from 'fastify'
import { z } from 'zod'
import { ID, recording, transcriptLine } from '../../../../shared/examples.ts'
import { FoundRecordingsAnswer, RecordingSearchQuery, TranscriptAnswer } from '../../../../shared/transcripts.ts'
import { withExample } from '../../../lib/with-example.ts'

const tags = ['Recordings']

export const getTranscript = {
  tags,
  operationId: 'getTranscript',
  summary: "Read a recording's transcript",
  description:
    "Zoom's transcript, where the host's Zoom account makes one. `status` is `none` if Zoom has reported none, `waiting` " +
    'until it has been read, `damaged` if its file cannot be read, and `too_large` beyond 5 MB or 20,000 lines. ' +
    '`skipped_at_ms` is the place of a line that could not be read; the other lines are there.',
  params: withExample(z.object({ id: z.string().max(64) }), { id: ID.recording }),
  response: {
    200: withExample(TranscriptAnswer, {
      success: true,
      data: { status: 'read', skipped_at_ms: null, lines: [transcriptLine] },
    }),
  },
} satisfies FastifySchema

export const searchRecordings = {
  tags,
  operationId: 'searchRecordings',
  summary: 'Search what was said in the recordings',
  description:
    'Lines of transcripts with all words of `q`, whatever their case and accents, by recording, newest first: the first ' +
    'five lines of each of up to 20 recordings. Speakers’ names are searched too. Recordings in the trash are not.',
  querystring: withExample(RecordingSearchQuery, { q: 'harvest' }),
  response: {
    200: withExample(FoundRecordingsAnswer, {
      success: true,
      data: { found: [{ recording, lines: [transcriptLine], has_more_lines: false }], has_more: false },
    }),
  },
} satisfies FastifySchema
