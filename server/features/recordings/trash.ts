import { type Actor, type HostActor, regardlessOfSession } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import type { Tx } from '../../db/client.ts'
import { requireOpenSession } from '../../db/open-session.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { readRecording, recoverRecording, trashRecording } from '../../zoom/calls.ts'
import { isFault, toAppError } from '../../zoom/errors.ts'
import { countStorage } from './archive/count-storage.ts'
import { findListed, findTrashed } from './find-sitting.ts'
import { RECORDING_NOT_FOUND, type RecordingRow } from './recording-index.ts'
import { setPlace } from './recording-marks.ts'
import { findRecordedRoom } from './recordings.ts'

// Zoom's trash decides while Zoom has a recording; the copy in the archive follows. A recording that only the archive
// has stays in our trash for the same time.

/** Uses the sitting's UUID, because for a meeting number Zoom would take the latest sitting. */
export async function trashRecordings(deps: Deps, host: HostActor, meeting: string): Promise<void> {
  const { host_id } = host
  await requireOpenSession(deps.db, host.session_id)
  const by = regardlessOfSession(host) // Zoom will have acted
  const room = await findRecordedRoom(deps, host_id)
  const rows = await findListed(deps, room.id, meeting)
  const { meeting_uuid } = rows[0]
  const isAtZoom = rows.some(({ gone_at_zoom }) => !gone_at_zoom)
  const isTrashed = isAtZoom && (await succeeds(deps, host_id, trashRecording(meeting_uuid)))
  if (isTrashed)
    await deps.db.transaction().execute(async (tx) => {
      await markAtZoom(tx, rows, true) // a concurrent call may have found it gone
      await moveToTrash(deps, tx, rows, host_id, by)
    })
  else await trashCopies(deps, rows, host_id, by)
}

/** Trashes archived copies of recordings that Zoom lacks, unless another call has done so since the read. */
async function trashCopies(deps: Deps, rows: RecordingRow[], host_id: string, by: Actor): Promise<void> {
  const present = await deps.db.transaction().execute(async (tx) => {
    const present = await tx
      .selectFrom('recordings')
      .selectAll()
      .where(
        'id',
        'in',
        rows.map(({ id }) => id),
      )
      .where('trashed_at', 'is', null)
      .forUpdate()
      .execute()
    if (present.length > 0) await markAtZoom(tx, present, false)
    if (present.some(isArchived)) await moveToTrash(deps, tx, present, host_id, by)
    return present
  })
  if (present.length > 0 && !present.some(isArchived)) throw new AppError('not_found', RECORDING_NOT_FOUND)
}

/** Trashes a recording that only the archive has. */
export async function trashCopy(deps: Deps, by: HostActor, id: string): Promise<void> {
  const room = await findRecordedRoom(deps, by.host_id)
  await deps.db.transaction().execute(async (tx) => {
    const row = await tx
      .selectFrom('recordings')
      .selectAll()
      .where('id', '=', id)
      .where('room_id', '=', room.id)
      .where('trashed_at', 'is', null)
      .forUpdate()
      .executeTakeFirst()
    if (!row || (row.gone_at_zoom && !isArchived(row))) throw new AppError('not_found', RECORDING_NOT_FOUND)
    if (!row.gone_at_zoom)
      throw new AppError('conflict', 'Zoom still has this recording. Delete the recordings of its meeting instead.')
    await moveToTrash(deps, tx, [row], by.host_id, by)
  })
}

async function moveToTrash(deps: Deps, tx: Tx, rows: RecordingRow[], host_id: string, by: Actor): Promise<void> {
  const ids = rows.map(({ id }) => id)
  await tx
    .updateTable('recordings')
    .set({ trashed_at: new Date(deps.now()), shared_until: null })
    .where('id', 'in', ids)
    .execute()
  await countStorage(tx, host_id)
  const target = rows[0]?.meeting_uuid ?? null
  await audit(deps, tx, by, { host_id, action: 'recordings_trashed', target })
}

export async function recoverRecordings(deps: Deps, by: HostActor, meeting: string): Promise<void> {
  const { host_id } = by
  await requireOpenSession(deps.db, by.session_id)
  const room = await findRecordedRoom(deps, host_id)
  const rows = await findTrashed(deps, room.id, meeting)
  const { meeting_uuid, zoom_account_id } = rows[0]
  const isOnlyOurs = rows.every((row) => row.gone_at_zoom && row.trashed_at !== null && isArchived(row))
  const isBack = await isRecoveredAtZoom(deps, host_id, meeting_uuid).catch((error: unknown) => {
    if (isOnlyOurs) return false // the copy comes back even if Zoom fails or is disconnected
    throw error
  })
  const kept = isBack ? rows : rows.filter((row) => isArchived(row) && row.trashed_at !== null)
  if (kept.length === 0) throw new AppError('not_found', RECORDING_NOT_FOUND)

  const now = new Date(deps.now())
  await deps.db.transaction().execute(async (tx) => {
    await tx
      .updateTable('recordings')
      // Zoom's list may lack it for a moment.
      .set({ trashed_at: null, gone_at_zoom: !isBack, ...(isBack && { synced_at: now }) })
      .where(
        'id',
        'in',
        kept.map(({ id }) => id),
      )
      .execute()
    await countStorage(tx, host_id)
    // The event of the earlier move to the trash may still arrive.
    if (isBack && zoom_account_id) await setPlace(tx, { zoom_account_id, host_id }, rows.map(markOf), 'kept', now)
    await audit(deps, tx, regardlessOfSession(by), { action: 'recordings_recovered', target: meeting_uuid })
  })
}

/** Handles a retry after a lost answer: the recording is in the list and no longer in the trash. */
async function isRecoveredAtZoom(deps: Deps, host_id: string, uuid: string): Promise<boolean> {
  return (await succeeds(deps, host_id, recoverRecording(uuid))) || (await succeeds(deps, host_id, readRecording(uuid)))
}

/** Returns false if Zoom has no such recording. */
async function succeeds(
  { zoom }: Deps,
  host_id: string,
  call: Parameters<Deps['zoom']['callFor']>[1],
): Promise<boolean> {
  try {
    await zoom.callFor(host_id, call)
    return true
  } catch (error) {
    if (isFault(error, 'not_found')) return false
    throw toAppError(error)
  }
}

async function markAtZoom(tx: Tx, rows: RecordingRow[], isAtZoom: boolean): Promise<void> {
  const ids = rows.map(({ id }) => id)
  await tx.updateTable('recordings').set({ gone_at_zoom: !isAtZoom }).where('id', 'in', ids).execute()
}

const markOf = ({ meeting_uuid, zoom_file_id }: RecordingRow) => ({ meeting_uuid, zoom_file_id })
const isArchived = ({ archived_path }: RecordingRow) => archived_path !== null
