import type { z } from 'zod'
import { startOfDay, utcDay } from '../../../shared/dates.ts'
import type { Recording, RecordingsQuery } from '../../../shared/recordings.ts'
import type { HostActor } from '../../db/actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError, invalidField } from '../../errors.ts'
import { readArchiveState } from './archive/to-archive.ts'
import { fileNameOf } from './file-name.ts'
import { mediaLink } from './media-links.ts'
import type { RecordingRow } from './recording-index.ts'
import { isShared } from './shared-recordings.ts'
import { type RecordedRoom, syncRecordings } from './zoom-sync.ts'

const SHOWN_MONTHS = 6

/** Reads our own index, after a sync with Zoom if `fetch_live` is set. */
export async function findRecordings(deps: Deps, by: HostActor, query: z.output<typeof RecordingsQuery>) {
  const { host_id } = by
  const room = await findRecordedRoom(deps, host_id)
  const to = query.to ? Temporal.PlainDate.from(query.to) : utcDay(deps.now())
  const from = query.from ? Temporal.PlainDate.from(query.from) : to.subtract({ months: SHOWN_MONTHS })
  if (Temporal.PlainDate.compare(from, to) > 0) throw invalidField('from', 'The first day must not be after the last')

  const isLive = query.fetch_live && room.is_linked
  const isFresh = isLive ? await syncRecordings(deps, room, from) : true
  const rows = await deps.db
    .selectFrom('recordings')
    .selectAll()
    .where('room_id', '=', room.id)
    .where('started_at', '>=', startOfDay(from))
    .where('started_at', '<', startOfDay(to.add({ days: 1 })))
    .where('trashed_at', 'is', null)
    .where((eb) => eb.or([eb('gone_at_zoom', '=', false), eb('archived_path', 'is not', null)]))
    .orderBy('started_at', 'desc')
    .orderBy('id')
    .execute()

  const types = query.file_types.split(',').map((type) => type.trim().toUpperCase())
  const found = rows.filter((row) => types.includes(row.file_type))
  const shown = query.fetch_all ? found : found.slice(0, query.page_size)
  const recordings = recordingsOf(deps, by, shown, rows)
  return { recordings, total: found.length, stale: !isFresh, archive: await readArchiveState(deps, host_id) }
}

export async function findRecordedRoom({ db }: Deps, host_id: string): Promise<RecordedRoom & { is_linked: boolean }> {
  const room = await db
    .selectFrom('rooms')
    .leftJoin('zoom_links', 'zoom_links.host_id', 'rooms.host_id')
    .select(['rooms.id', 'rooms.host_id', 'rooms.zoom_meeting_id', 'zoom_links.zoom_user_id'])
    .where('rooms.host_id', '=', host_id)
    .executeTakeFirst()
  if (!room) throw new AppError('not_found', 'Room not found')
  return { ...room, is_linked: room.zoom_user_id !== null }
}

/** `rows` are all listed files of the shown recordings' sittings. */
export function recordingsOf(deps: Deps, by: HostActor, shown: RecordingRow[], rows: RecordingRow[]): Recording[] {
  const sittings = Map.groupBy(rows, (row) => row.meeting_uuid)
  return shown.map((row) => recordingOf(deps, by, row, sittings.get(row.meeting_uuid) ?? [row]))
}

function recordingOf(deps: Deps, by: HostActor, row: RecordingRow, sitting: RecordingRow[]): Recording {
  const { id, status, duration, recording_type, meeting_id } = row
  const file = fileOf(deps, by, row)
  const { file_type, file_size, play_url, download_url } = file
  return {
    id,
    file_name: fileNameOf(row),
    topic: row.topic,
    status,
    duration,
    created_at: row.started_at.toISOString(),
    recording_type,
    source: row.gone_at_zoom ? 'local' : 'zoom_cloud',
    archived: row.archived_path !== null,
    shared_until: isShared(deps, row) ? row.shared_until.toISOString() : null,
    meeting_id,
    meeting_data: {
      uuid: row.meeting_uuid,
      total_size: row.total_size,
      recording_files: sitting.map((other) => (other === row ? file : fileOf(deps, by, other))),
    },
    file_data: { file_type, file_size, play_url, download_url },
  }
}

function fileOf(deps: Deps, by: HostActor, { id, file_type, file_size, recording_type, status }: RecordingRow) {
  const isWhole = status === 'completed'
  return {
    ...{ id, file_type, file_size, recording_type, status },
    play_url: isWhole ? mediaLink(deps, id, by, 'play') : null,
    download_url: isWhole ? mediaLink(deps, id, by, 'download') : null,
  }
}
