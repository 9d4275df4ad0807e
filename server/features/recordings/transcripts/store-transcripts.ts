import { sql } from 'kysely'
import type { Deps } from '../../../deps.ts'
import { keptFrom } from '../../../jobs/retention.ts'
import { parseTime, type ZoomRecording, type ZoomRecordingFile } from '../../../zoom/schemas.ts'
import { fileKey } from '../file-key.ts'

interface Owner {
  room_id: string
  zoom_account_id?: string
  zoom_user_id?: string
  synced_at: Date
}

const ROWS_AT_ONCE = 500

/** Remembers which transcripts Zoom has of these recordings. A file of another size than before is read again. */
export async function storeTranscripts(deps: Deps, owner: Owner, recordings: ZoomRecording[]): Promise<void> {
  const { RETENTION_RECORDINGS_DAYS } = deps.config
  const kept = RETENTION_RECORDINGS_DAYS === undefined ? null : keptFrom(deps, RETENTION_RECORDINGS_DAYS)
  const rows = new Map(
    recordings.flatMap((recording) =>
      recording.recording_files
        .filter(isTranscript)
        .map((file) => ({ ...owner, ...rowOf(recording, file) }))
        .filter(({ started_at }) => kept === null || started_at >= kept)
        .map((row) => [`${row.meeting_uuid} ${row.zoom_file_id}`, row] as const),
    ),
  )
  const all = [...rows.values()]
  const isChanged = sql`transcripts.file_size <> excluded.file_size`
  for (let at = 0; at < all.length; at += ROWS_AT_ONCE)
    await deps.db
      .insertInto('transcripts')
      .values(all.slice(at, at + ROWS_AT_ONCE))
      .onConflict((conflict) =>
        conflict.columns(['room_id', 'meeting_uuid', 'zoom_file_id']).doUpdateSet((eb) => ({
          status: sql<'waiting'>`case when ${isChanged} then 'waiting' else transcripts.status end`,
          next_attempt_at: sql<Date | null>`case when ${isChanged} then null else transcripts.next_attempt_at end`,
          started_at: eb.ref('excluded.started_at'),
          file_size: sql<number | null>`coalesce(excluded.file_size, transcripts.file_size)`,
          synced_at: sql<Date>`greatest(transcripts.synced_at, excluded.synced_at)`,
          zoom_account_id: eb.ref('excluded.zoom_account_id'),
          zoom_user_id: eb.ref('excluded.zoom_user_id'),
        })),
      )
      .execute()
}

function isTranscript(file: ZoomRecordingFile): boolean {
  const isNamed = Boolean(file.id || file.recording_start)
  return isNamed && Boolean(file.download_url) && file.file_type?.toUpperCase() === 'TRANSCRIPT'
}

function rowOf(recording: ZoomRecording, file: ZoomRecordingFile) {
  return {
    meeting_uuid: recording.uuid,
    zoom_file_id: fileKey(file),
    started_at: parseTime(file.recording_start) ?? parseTime(recording.start_time) ?? new Date(0),
    file_size: file.file_size ?? null,
  }
}
