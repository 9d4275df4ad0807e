import type { RecordingAction, RecordingState, Room } from '../../../shared/rooms.ts'
import type { HostActor } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import { requireOpenSession } from '../../db/open-session.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { controlCloudRecording } from '../../zoom/calls.ts'
import { type Deadline, deadlineIn, ZOOM_TIMEOUT_MS } from '../../zoom/deadline.ts'
import { isFault, toAppError, ZoomError } from '../../zoom/errors.ts'
import { type RoomAtZoom, reconcileMeeting } from './reconcile-meeting.ts'
import { findRoom, requireRoomAtZoom } from './rooms.ts'
import { changeRecording, findLiveSitting } from './sittings.ts'

const NEXT_STATE: Record<RecordingAction, RecordingState> = {
  start: 'recording',
  pause: 'paused',
  resume: 'recording',
  stop: 'none',
}
const STORAGE_FULL = 3309

export async function controlRecording(deps: Deps, by: HostActor, action: RecordingAction): Promise<Room> {
  const { host_id } = by
  await requireOpenSession(deps.db, by.session_id)
  const room = await requireRoomAtZoom(deps, host_id)
  const isRecording = action === 'start' || action === 'resume'
  if (isRecording && !room.recording_enabled)
    throw new AppError(
      'recording_off',
      'Recording is switched off for your room. Ask your administrator to turn it on.',
    )

  const deadline = deadlineIn(ZOOM_TIMEOUT_MS)
  try {
    await deps.zoom.callFor(host_id, controlCloudRecording(room.zoom_meeting_id, action), deadline)
  } catch (error) {
    throw await toRefusal(deps, room, error, deadline)
  }
  await setState(deps, room, NEXT_STATE[action], deadline)
  await audit(deps, deps.db, by, { action: `recording_${action}`, target: room.id })
  return findRoom(deps, by)
}

/** Shows the new state before Zoom's event arrives. Sets no event time, so that the next event always counts. */
async function setState(deps: Deps, room: RoomAtZoom, recording: RecordingState, deadline: Deadline): Promise<void> {
  // The meeting's start event may have been lost.
  if (!(await findLiveSitting(deps.db, room.id))) await reconcileMeeting(deps, room, deadline).catch(() => {})
  const sitting = await findLiveSitting(deps.db, room.id)
  if (!sitting) return
  await changeRecording(deps.db, sitting, recording, new Date(deps.now())).execute()
}

async function toRefusal(deps: Deps, room: RoomAtZoom, error: unknown, deadline: Deadline): Promise<unknown> {
  if (!(error instanceof ZoomError)) return error
  const { code, zoomMessage } = error.details
  if (isFault(error, 'not_found')) {
    await reconcileMeeting(deps, room, deadline).catch(() => {}) // the meeting may be gone, or its end event lost
    return new AppError('meeting_not_live', 'The meeting has not started. Start the meeting, then record.', {
      cause: error,
    })
  }
  if (code === STORAGE_FULL)
    return new AppError(
      'zoom_storage_full',
      'Zoom’s cloud storage is full. Delete old recordings at Zoom, or buy more storage.',
      { cause: error },
    )
  if (isFault(error, 'invalid', 'refused'))
    return new AppError(
      'recording_off',
      `Zoom does not record this meeting. Zoom says: ${zoomMessage ?? 'no reason'}`,
      {
        cause: error,
      },
    )
  return toAppError(error)
}
