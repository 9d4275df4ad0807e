import { sql } from 'kysely'
import { clearingJob, deleteOld } from '../../jobs/job.ts'
import { JOB_INTERVALS, RETENTION } from '../../jobs/retention.ts'
import { archiveRecordings } from './archive/archive-recordings.ts'
import { clearOldCopies, clearParts, clearTrash } from './archive/clear-archive.ts'
import { clearTranscripts } from './transcripts/clear-transcripts.ts'
import { readTranscripts } from './transcripts/read-transcripts.ts'

export const clearRecordingMarks = clearingJob('clear recording marks', JOB_INTERVALS.sixHours, ({ now }, tx) =>
  deleteOld(tx, 'recording_marks', sql`reported_at < ${new Date(now() - RETENTION.zoom_events)}`),
)

export const recordingJobs = [
  archiveRecordings,
  readTranscripts,
  clearTrash,
  clearOldCopies,
  clearParts,
  clearTranscripts,
  clearRecordingMarks,
]
