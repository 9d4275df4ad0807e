import { sql } from 'kysely'
import { DAY_MS } from '../../../../shared/dates.ts'
import type { Job } from '../../../jobs/job.ts'
import { JOB_INTERVALS, keptFrom } from '../../../jobs/retention.ts'
import { deleteTranscripts } from './delete-transcripts.ts'

/** Zoom may report a transcript before its recording. */
const ALONE_MS = DAY_MS

/** Removes transcripts whose recording is gone, and those that are older than RETENTION_RECORDINGS_DAYS. */
export const clearTranscripts: Job = {
  name: 'clear transcripts',
  every: JOB_INTERVALS.hour,
  run(deps) {
    const { RETENTION_RECORDINGS_DAYS } = deps.config
    const isTooOld =
      RETENTION_RECORDINGS_DAYS === undefined
        ? sql`false`
        : sql`started_at < ${keptFrom(deps, RETENTION_RECORDINGS_DAYS)}`
    return deleteTranscripts(
      deps.db,
      sql`${isTooOld} or (synced_at < ${new Date(deps.now() - ALONE_MS)} and not exists (
        select from recordings
        where recordings.room_id = transcripts.room_id and recordings.meeting_uuid = transcripts.meeting_uuid
          and (not gone_at_zoom or archived_path is not null or trashed_at is not null)))`,
    )
  },
}
