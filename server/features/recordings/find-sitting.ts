import { sql } from 'kysely'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { RECORDING_NOT_FOUND, type RecordingRow } from './recording-index.ts'

type Rows = [RecordingRow, ...RecordingRow[]]

/** Finds recordings at Zoom, in the archive, or both. */
export const findListed = (deps: Deps, room_id: string, meeting: string): Promise<Rows> =>
  findSitting(deps, room_id, meeting, sql`trashed_at is null and (not gone_at_zoom or archived_path is not null)`)

/** Finds recordings that are gone, or in the trash, ours or Zoom's. */
export const findTrashed = (deps: Deps, room_id: string, meeting: string): Promise<Rows> =>
  findSitting(deps, room_id, meeting, sql`trashed_at is not null or gone_at_zoom`)

/** Searches only this room's part of our own index: no other id from a caller reaches Zoom. */
async function findSitting(
  { db }: Deps,
  room_id: string,
  meeting: string,
  condition: ReturnType<typeof sql>,
): Promise<Rows> {
  const isNumber = /^\d+$/.test(meeting)
  const rows = await db
    .selectFrom('recordings')
    .selectAll()
    .where('room_id', '=', room_id)
    .where(isNumber ? 'meeting_id' : 'meeting_uuid', '=', meeting)
    .where(sql<boolean>`(${condition})`)
    .execute()
  const [first, ...others] = rows
  if (!first) throw new AppError('not_found', RECORDING_NOT_FOUND)
  if (others.some(({ meeting_uuid }) => meeting_uuid !== first.meeting_uuid))
    throw new AppError('conflict', 'This meeting has recordings of several days. Name one by its UUID.')
  return [first, ...others]
}
