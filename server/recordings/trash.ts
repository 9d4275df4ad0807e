import { audit } from '../audit/audit.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { readRecording, recoverRecording, trashRecording } from '../zoom/calls.ts'
import { asAppError, isFault } from '../zoom/zoom-error.ts'
import { RECORDING_NOT_FOUND } from './recording-index.ts'
import { tellPlace } from './recording-marks.ts'
import { findRoom } from './recordings.ts'

/** Moves one sitting's recordings to Zoom's trash. By its UUID: with the number, Zoom would take the latest sitting. */
export async function trashRecordings(deps: Deps, host_id: string, meeting: string, ip: string): Promise<void> {
  const room = await findRoom(deps, host_id)
  const uuid = await findSitting(deps, room.id, meeting, 'listed')
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

/** Takes one sitting's recordings out of Zoom's trash again, and back into the list. */
export async function recoverRecordings(deps: Deps, host_id: string, meeting: string, ip: string): Promise<void> {
  const room = await findRoom(deps, host_id)
  const uuid = await findSitting(deps, room.id, meeting, 'trashed')
  await recoverAtZoom(deps, host_id, uuid)
  const now = new Date(deps.now())
  await deps.db.transaction().execute(async (tx) => {
    const rows = await tx
      .updateTable('recordings')
      // Seen now: Zoom's list may still lack it for a moment.
      .set({ trashed_at: null, gone_at_zoom: false, seen_at: now })
      .where('room_id', '=', room.id)
      .where('meeting_uuid', '=', uuid)
      .returning(['meeting_uuid', 'zoom_file_id', 'zoom_account_id'])
      .execute()
    // Zoom may yet tell, late, of the move to the trash.
    const account = rows.find(({ zoom_account_id }) => zoom_account_id)?.zoom_account_id
    if (account) await tellPlace(tx, { zoom_account_id: account, host_id }, rows, 'kept', now)
    const done = { action: 'recordings_recovered' as const, target: uuid, ip }
    await audit(deps, tx, { actor_role: 'host', actor_id: host_id, host_id, ...done })
  })
}

/** A second try, after an answer that was lost, finds nothing in the trash: what Zoom lists again has been recovered. */
async function recoverAtZoom({ zoom }: Deps, host_id: string, uuid: string): Promise<void> {
  try {
    await zoom.callFor(host_id, recoverRecording(uuid)).catch(async (error: unknown) => {
      if (!isFault(error, 'not_found')) throw error
      await zoom.callFor(host_id, readRecording(uuid))
    })
  } catch (error) {
    if (isFault(error, 'not_found')) throw new AppError('not_found', RECORDING_NOT_FOUND, { cause: error })
    throw asAppError(error)
  }
}

/** The sitting's UUID, out of our own index of this room: nothing else that a caller names reaches Zoom. */
async function findSitting(
  { db }: Deps,
  room_id: string,
  meeting: string,
  where: 'listed' | 'trashed',
): Promise<string> {
  const isNumber = /^\d+$/.test(meeting)
  const sittings = await db
    .selectFrom('recordings')
    .select('meeting_uuid')
    .distinct()
    .where('room_id', '=', room_id)
    .where(isNumber ? 'meeting_id' : 'meeting_uuid', '=', meeting)
    .where((eb) =>
      where === 'listed'
        ? eb.and([eb('trashed_at', 'is', null), eb('gone_at_zoom', '=', false)])
        : eb.or([eb('trashed_at', 'is not', null), eb('gone_at_zoom', '=', true)]),
    )
    .execute()
  const [sitting, another] = sittings
  if (!sitting) throw new AppError('not_found', RECORDING_NOT_FOUND)
  if (another) throw new AppError('conflict', 'This meeting has recordings of several days. Name one by its UUID.')
  return sitting.meeting_uuid
}
