import { z } from 'zod'
import { Day } from './dates.ts'
import { answer, Time } from './envelope.ts'

export const RecordingFile = z.object({
  id: z.string(),
  file_type: z.string(),
  file_size: z.number().nullable(),
  recording_type: z.string().nullable(),
  status: z.string(),
  play_url: z.string().nullable(),
  download_url: z.string().nullable(),
})

/** A file of a meeting's cloud recording, which is one row in the console. */
export const Recording = z.object({
  id: z.string(),
  file_name: z.string(),
  topic: z.string(), // the meeting's topic; the file name includes the date too
  status: z.string(), // completed, processing, or another status of Zoom's
  duration: z.number().int(), // minutes
  created_at: Time,
  recording_type: z.string().nullable(),
  source: z.enum(['zoom_cloud', 'local']), // local: only in the archive, no longer at Zoom
  archived: z.boolean(), // the archive's copy is complete
  shared_until: Time.nullable().default(null), // room users can hear it in the phone app until then; a former release sends none
  meeting_id: z.string(),
  meeting_data: z.object({ uuid: z.string(), total_size: z.number(), recording_files: z.array(RecordingFile) }),
  file_data: z.object({
    file_type: z.string(),
    file_size: z.number().nullable(),
    play_url: z.string().nullable(), // on this server, signed, valid for an hour
    download_url: z.string().nullable(),
  }),
})
export type Recording = z.infer<typeof Recording>

export const RecordingsQuery = z.object({
  from: Day.optional().describe('The first day, in UTC.'),
  to: Day.optional().describe('The last day, in UTC.'),
  page_size: z.coerce.number().int().min(1).max(300).default(100),
  fetch_all: z.stringbool().default(false).describe('All rows, whatever `page_size` says.'),
  file_types: z.string().max(100).default('M4A').describe('Separated by commas.'),
  fetch_live: z.stringbool().default(false).describe('Call Zoom now.'),
})

/** The host's archive. While it is full, recordings stay only at Zoom. */
export const Archive = z.object({
  is_full: z.boolean(),
  waiting: z.number().int(), // recordings that do not fit and stay only at Zoom
  used_gb: z.number(),
  limit_gb: z.number(),
  message: z.string().nullable(), // shown when it is full
})
export type Archive = z.infer<typeof Archive>

export const RecordingsAnswer = answer(
  z.object({ recordings: z.array(Recording), total: z.number().int(), stale: z.boolean(), archive: Archive }),
)
export type RecordingsAnswer = z.infer<typeof RecordingsAnswer>

/** Recordings of a room that its users can hear, at a time. */
export const SHARED_RECORDINGS_MAX = 20
const DAYS = 'Choose a number of days from 1 to 30'
export const RecordingSharing = z.object({
  days: z.number(DAYS).int(DAYS).min(1, DAYS).max(30, DAYS).nullable().describe('From now. `null` ends it.'),
})
export const RecordingSharingAnswer = answer(z.object({ shared_until: Time.nullable() }))

/** A recording that the host has shared, as a phone hears it. */
export const SharedRecording = z.object({
  id: z.string(),
  topic: z.string(),
  created_at: Time,
  duration: z.number().int(), // minutes
  shared_until: Time,
  play_url: z.string(), // on this server, signed, valid for an hour
})
export type SharedRecording = z.infer<typeof SharedRecording>
export const SharedRecordingsAnswer = answer(z.object({ recordings: z.array(SharedRecording) }))
