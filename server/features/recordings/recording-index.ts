import { type Selectable, sql } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import type { Deps } from '../../deps.ts'
import { parseTime, type ZoomRecording, type ZoomRecordingFile } from '../../zoom/schemas.ts'
import { fileKey } from './file-key.ts'
import { storeTranscripts } from './transcripts/store-transcripts.ts'

export type RecordingRow = Selectable<Tables['recordings']>

export const RECORDING_NOT_FOUND = 'Recording not found - it may have been already deleted'

/** Only audio and video are listed, not chats and timelines; transcripts have a table of their own. */
const KINDS = ['M4A', 'MP4']
/** Zoom's lists may lag behind its trash for a moment. */
export const LAG_MS = 2 * 60_000
const ROWS_AT_ONCE = 500

/** Upserts Zoom's list of a room's recordings. Older data, by `synced_at`, does not overwrite newer. */
export async function storeRecordings(
  deps: Deps,
  room_id: string,
  recordings: ZoomRecording[],
  synced_at = new Date(deps.now()),
): Promise<void> {
  const { db } = deps
  const lagging = new Date(synced_at.getTime() - LAG_MS)
  const owner = await db
    .selectFrom('rooms')
    .innerJoin('zoom_links', 'zoom_links.host_id', 'rooms.host_id')
    .select(['zoom_account_id', 'zoom_user_id'])
    .where('rooms.id', '=', room_id)
    .executeTakeFirst()
  const rows = new Map(
    recordings.flatMap((recording) =>
      recording.recording_files
        .filter(isKept)
        .map(
          (file) =>
            [
              `${recording.uuid} ${fileKey(file)}`,
              { ...rowOf(recording, file), ...owner, room_id, synced_at },
            ] as const,
        ),
    ),
  )
  await storeTranscripts(deps, { ...owner, room_id, synced_at }, recordings)
  const all = [...rows.values()]
  for (let at = 0; at < all.length; at += ROWS_AT_ONCE) {
    await db
      .insertInto('recordings')
      .values(all.slice(at, at + ROWS_AT_ONCE))
      .onConflict((conflict) =>
        conflict
          .columns(['room_id', 'meeting_uuid', 'zoom_file_id'])
          .doUpdateSet((eb) => ({
            topic: eb.ref('excluded.topic'),
            started_at: eb.ref('excluded.started_at'),
            duration: eb.ref('excluded.duration'),
            status: eb.ref('excluded.status'),
            file_size: eb.ref('excluded.file_size'),
            total_size: eb.ref('excluded.total_size'),
            synced_at: sql<Date>`greatest(recordings.synced_at, excluded.synced_at)`,
            zoom_account_id: eb.ref('excluded.zoom_account_id'),
            zoom_user_id: eb.ref('excluded.zoom_user_id'),
            gone_at_zoom: sql<boolean>`recordings.gone_at_zoom and coalesce(recordings.gone_reported_at > ${lagging}, false)`,
            trashed_at: sql<Date | null>`case when recordings.trashed_at > ${lagging} then recordings.trashed_at end`,
          }))
          .where((eb) =>
            eb.or([
              eb('recordings.synced_at', '<=', eb.ref('excluded.synced_at')),
              eb.and([eb('recordings.status', '!=', 'completed'), eb('excluded.status', '=', 'completed')]),
            ]),
          ),
      )
      .execute()
  }
}

/** Marks recordings that Zoom's list of these days no longer has. */
export async function markMissingRecordings(
  { db }: Deps,
  room_id: string,
  from: Date,
  to: Date,
  listedAt: Date,
): Promise<void> {
  await db
    .updateTable('recordings')
    .set({ gone_at_zoom: true })
    .where('room_id', '=', room_id)
    .where('started_at', '>=', from)
    .where('started_at', '<', to)
    .where('synced_at', '<', new Date(listedAt.getTime() - LAG_MS))
    .execute()
}

function isKept(file: ZoomRecordingFile): boolean {
  const isNamed = Boolean(file.id || file.recording_start)
  const isWhole = file.status === 'processing' || Boolean(file.download_url)
  return isNamed && isWhole && KINDS.includes((file.file_type ?? '').toUpperCase())
}

function rowOf(recording: ZoomRecording, file: ZoomRecordingFile) {
  const start = parseTime(file.recording_start) ?? parseTime(recording.start_time) ?? new Date(0)
  const end = parseTime(file.recording_end)
  const minutes = end && file.recording_start ? (end.getTime() - start.getTime()) / 60_000 : recording.duration
  return {
    meeting_id: recording.id,
    meeting_uuid: recording.uuid,
    zoom_file_id: fileKey(file),
    topic: recording.topic ?? '',
    started_at: start,
    duration: minutes > 0 ? Math.max(1, Math.round(minutes)) : 0, // a short one must not appear empty
    status: file.status || 'completed',
    file_type: (file.file_type ?? '').toUpperCase(),
    file_size: file.file_size ?? null,
    recording_type: file.recording_type ?? null,
    total_size: recording.total_size,
  }
}
