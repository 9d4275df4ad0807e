import type { RecordingAction, RecordingState, Room } from '../../../shared/rooms.ts'
import { audit, byHost } from '../../db/audit-log.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { controlCloudRecording } from '../../zoom/calls.ts'
import { type Deadline, within, ZOOM_MS } from '../../zoom/deadline.ts'
import { asAppError, isFault, ZoomError } from '../../zoom/errors.ts'
import type { SignedInHost } from '../auth/guards.ts'
import { findRoom } from './rooms.ts'
import { findLiveSitting } from './sittings.ts'
import { lookAtMeeting, type RoomAtZoom } from './sweep-meeting.ts'

const BECOMES: Record<RecordingAction, RecordingState> = {
  start: 'recording',
  pause: 'paused',
  resume: 'recording',
  stop: 'none',
}
const STORAGE_FULL = 3309

/** Starts, pauses, resumes or stops the cloud recording of the meeting that runs. */
export async function controlRecording(
  deps: Deps,
  host: SignedInHost,
  action: RecordingAction,
  ip: string,
): Promise<Room> {
  const { host_id } = host
  const room = await roomAtZoom(deps, host_id)
  const isBeginning = action === 'start' || action === 'resume'
  if (isBeginning && !room.recording_enabled)
    throw new AppError(
      'recording_off',
      'Recording is switched off for your room. Ask your administrator to turn it on.',
    )

  const deadline = within(ZOOM_MS)
  try {
    await deps.zoom.callFor(host_id, controlCloudRecording(room.zoom_meeting_id, action), deadline)
  } catch (error) {
    throw await refusal(deps, room, error, deadline)
  }
  await showState(deps, room, BECOMES[action], deadline)
  await audit(deps, deps.db, { ...byHost(host, ip), action: `recording_${action}`, target: room.id })
  return findRoom(deps, host)
}

async function roomAtZoom({ db }: Deps, host_id: string) {
  const room = await db
    .selectFrom('rooms')
    .innerJoin('hosts', 'hosts.id', 'rooms.host_id')
    .innerJoin('zoom_links', 'zoom_links.host_id', 'rooms.host_id')
    .select(['rooms.id', 'rooms.host_id', 'rooms.zoom_meeting_id', 'hosts.recording_enabled'])
    .where('rooms.host_id', '=', host_id)
    .executeTakeFirst()
  if (!room?.zoom_meeting_id) throw new AppError('room_not_connected', 'Zoom is not connected for this room.')
  return { ...room, zoom_meeting_id: room.zoom_meeting_id }
}

/**
 * Shows at once what Zoom will tell in a moment. It is no word of Zoom's, so the next of its events counts whenever it
 * was told.
 */
async function showState(deps: Deps, room: RoomAtZoom, recording: RecordingState, deadline: Deadline): Promise<void> {
  // That it runs may have been told in an event that never came.
  if (!(await findLiveSitting(deps.db, room.id))) await lookAtMeeting(deps, room, deadline).catch(() => {})
  const sitting = await findLiveSitting(deps.db, room.id)
  if (!sitting) return
  await deps.db
    .updateTable('sittings')
    .set({ recording })
    .where('room_id', '=', room.id)
    .where('meeting_uuid', '=', sitting.meeting_uuid)
    .execute()
}

async function refusal(deps: Deps, room: RoomAtZoom, error: unknown, deadline: Deadline): Promise<unknown> {
  if (!(error instanceof ZoomError)) return error
  const { code, words } = error.details
  if (isFault(error, 'not_found')) {
    await lookAtMeeting(deps, room, deadline).catch(() => {}) // it may be gone, or have ended without a word
    return new AppError('meeting_not_live', 'The meeting is not running. Start it first.', { cause: error })
  }
  if (code === STORAGE_FULL)
    return new AppError(
      'zoom_storage_full',
      'Zoom’s cloud storage is full. Delete old recordings at Zoom, or buy more storage.',
      { cause: error },
    )
  if (isFault(error, 'invalid', 'refused'))
    return new AppError('recording_off', `Zoom does not record this meeting. Zoom says: ${words ?? 'no reason'}`, {
      cause: error,
    })
  return asAppError(error)
}
