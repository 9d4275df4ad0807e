import type { z } from 'zod'
import type { Recording, RecordingsQuery } from '../../shared/recordings.ts'
import { audit } from '../audit/audit.ts'
import type { Deps } from '../deps.ts'
import { AppError, invalidField } from '../errors.ts'
import { trashRecording } from '../zoom/calls.ts'
import { asAppError, isFault } from '../zoom/zoom-error.ts'
import { fileNameOf } from './file-name.ts'
import { mediaLink } from './media-links.ts'
import { RECORDING_NOT_FOUND, type RecordingRow } from './recording-index.ts'
import { startOf, utcDay } from './windows.ts'
import { type RecordedRoom, syncRecordings } from './zoom-sync.ts'

const SHOWN_MONTHS = 6

/** The room's recordings, newest first, a row for each file: from our own index, which `fetch_live` brings up to date. */
export async function findRecordings(deps: Deps, host_id: string, query: z.output<typeof RecordingsQuery>) {
  const room = await findRoom(deps, host_id)
  const to = query.to ? Temporal.PlainDate.from(query.to) : utcDay(deps.now())
  const from = query.from ? Temporal.PlainDate.from(query.from) : to.subtract({ months: SHOWN_MONTHS })
  if (Temporal.PlainDate.compare(from, to) > 0) throw invalidField('from', 'The first day must not be after the last')

  const isAsked = query.fetch_live && room.is_linked
  const isFresh = isAsked ? await syncRecordings(deps, room, from) : true
  const rows = await deps.db
    .selectFrom('recordings')
    .selectAll()
    .where('room_id', '=', room.id)
    .where('started_at', '>=', startOf(from))
    .where('started_at', '<', startOf(to.add({ days: 1 })))
    .where('trashed_at', 'is', null)
    .where((eb) => eb.or([eb('gone_at_zoom', '=', false), eb('archived_path', 'is not', null)]))
    .orderBy('started_at', 'desc')
    .orderBy('id')
    .execute()

  const types = query.file_types.split(',').map((type) => type.trim().toUpperCase())
  const found = rows.filter((row) => types.includes(row.file_type))
  const shown = query.fetch_all ? found : found.slice(0, query.page_size)
  const sittings = Map.groupBy(rows, (row) => row.meeting_uuid)
  const recordings = shown.map((row) => recordingOf(deps, host_id, row, sittings.get(row.meeting_uuid) ?? [row]))
  return { recordings, total: found.length, stale: !isFresh }
}

/** Moves one sitting's recordings to Zoom's trash. By its UUID: with the number, Zoom would take the latest sitting. */
export async function trashRecordings(deps: Deps, host_id: string, meeting: string, ip: string): Promise<void> {
  const room = await findRoom(deps, host_id)
  const uuid = await findSitting(deps, room.id, meeting)
  const rowsOf = () => deps.db.updateTable('recordings').where('room_id', '=', room.id).where('meeting_uuid', '=', uuid)
  try {
    await deps.zoom.callFor(host_id, trashRecording(uuid))
  } catch (error) {
    if (!isFault(error, 'not_found')) throw asAppError(error)
    await rowsOf().set({ gone_at_zoom: true }).execute()
    throw new AppError('not_found', RECORDING_NOT_FOUND, { cause: error })
  }
  await rowsOf()
    .set({ trashed_at: new Date(deps.now()) })
    .execute()
  const done = { action: 'recordings_trashed' as const, target: uuid, ip }
  await audit(deps, deps.db, { actor_role: 'host', actor_id: host_id, host_id, ...done })
}

/** The sitting's UUID, out of our own index of this room: nothing else that a caller names reaches Zoom. */
async function findSitting({ db }: Deps, room_id: string, meeting: string): Promise<string> {
  const isNumber = /^\d+$/.test(meeting)
  const sittings = await db
    .selectFrom('recordings')
    .select('meeting_uuid')
    .distinct()
    .where('room_id', '=', room_id)
    .where(isNumber ? 'meeting_id' : 'meeting_uuid', '=', meeting)
    .where('trashed_at', 'is', null)
    .where('gone_at_zoom', '=', false)
    .execute()
  const [sitting, another] = sittings
  if (!sitting) throw new AppError('not_found', RECORDING_NOT_FOUND)
  if (another) throw new AppError('conflict', 'This meeting has recordings of several days. Name one by its UUID.')
  return sitting.meeting_uuid
}

async function findRoom({ db }: Deps, host_id: string): Promise<RecordedRoom & { is_linked: boolean }> {
  const room = await db
    .selectFrom('rooms')
    .leftJoin('zoom_links', 'zoom_links.host_id', 'rooms.host_id')
    .select(['rooms.id', 'rooms.host_id', 'rooms.zoom_meeting_id', 'zoom_links.zoom_user_id'])
    .where('rooms.host_id', '=', host_id)
    .executeTakeFirst()
  if (!room) throw new AppError('not_found', 'Room not found')
  return { ...room, is_linked: room.zoom_user_id !== null }
}

function recordingOf(deps: Deps, hostId: string, row: RecordingRow, sitting: RecordingRow[]): Recording {
  const { id, status, duration, recording_type, meeting_id } = row
  const file = fileOf(deps, hostId, row)
  const { file_type, file_size, play_url, download_url } = file
  return {
    id,
    file_name: fileNameOf(row),
    status,
    duration,
    created_at: row.started_at.toISOString(),
    recording_type,
    source: row.gone_at_zoom ? 'local' : 'zoom_cloud',
    archived: row.archived_path !== null,
    meeting_id,
    meeting_data: {
      uuid: row.meeting_uuid,
      total_size: row.total_size,
      recording_files: sitting.map((other) => (other === row ? file : fileOf(deps, hostId, other))),
    },
    file_data: { file_type, file_size, play_url, download_url },
  }
}

function fileOf(deps: Deps, hostId: string, { id, file_type, file_size, recording_type, status }: RecordingRow) {
  const isWhole = status === 'completed'
  return {
    ...{ id, file_type, file_size, recording_type, status },
    play_url: isWhole ? mediaLink(deps, id, hostId, 'play') : null,
    download_url: isWhole ? mediaLink(deps, id, hostId, 'download') : null,
  }
}
