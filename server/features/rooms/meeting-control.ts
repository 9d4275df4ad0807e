import type { Room, SeenMeeting } from '../../../shared/rooms.ts'
import type { HostActor } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import { requireOpenSession } from '../../db/open-session.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { endMeeting, readStartLink } from '../../zoom/calls.ts'
import { type Deadline, deadlineIn, ZOOM_TIMEOUT_MS } from '../../zoom/deadline.ts'
import { isFault, toAppError } from '../../zoom/errors.ts'
import type { ZoomStartLink } from '../../zoom/schemas.ts'
import { findHostPresence } from './host-presence.ts'
import { endSittingsBefore, type RoomAtZoom, reconcileMeeting } from './reconcile-meeting.ts'
import { connectRoom } from './room-meeting.ts'
import { findRoom, requireRoomAtZoom } from './rooms.ts'

/** Zoom's own link, fetched for this response. It makes its holder the host, so it goes nowhere else. */
export async function fetchStartLink(deps: Deps, by: HostActor): Promise<string> {
  const { host_id } = by
  await requireOpenSession(deps.db, by.session_id)
  const deadline = deadlineIn(ZOOM_TIMEOUT_MS)
  const room = await ensureRoomAtZoom(deps, host_id)
  try {
    const { start_url, status } = await readLink(deps, room, deadline)
    const start_requested_at = new Date(deps.now())
    // A running meeting keeps the time of the press that started it, which shows that the host is in it. If it was started
    // otherwise, such as in Zoom's own app, this press shows it.
    const showsHost =
      status !== 'started' || (await findHostPresence(deps, { room_id: room.id, host_id })) === 'unknown'
    await deps.db.transaction().execute(async (tx) => {
      if (showsHost) await tx.updateTable('rooms').set({ start_requested_at }).where('id', '=', room.id).execute()
      // Refuses a session that has ended while Zoom was being asked: the link would outlive it.
      await audit(deps, tx, by, { action: 'meeting_start_asked', target: room.id })
    })
    return start_url
  } catch (error) {
    throw toAppError(error)
  }
}

/** Creates the meeting of a connected room if Zoom failed to create it before. */
async function ensureRoomAtZoom(deps: Deps, host_id: string): Promise<RoomAtZoom> {
  const { zoom_status, zoom_meeting_id } = await findRoom(deps, { host_id })
  if (zoom_status !== 'not_connected' && !zoom_meeting_id) {
    await connectRoom(deps, host_id)
    const { zoom_meeting_id } = await findRoom(deps, { host_id })
    if (!zoom_meeting_id) throw notCreated()
  }
  return requireRoomAtZoom(deps, host_id)
}

async function readLink(deps: Deps, room: RoomAtZoom, deadline: Deadline): Promise<ZoomStartLink> {
  const read = ({ host_id, zoom_meeting_id }: RoomAtZoom) =>
    deps.zoom.callFor(host_id, readStartLink(zoom_meeting_id), deadline)
  try {
    return await read(room)
  } catch (error) {
    if (!isFault(error, 'not_found')) throw error
    await reconcileMeeting(deps, room, deadline) // recreates it
    const created = await requireRoomAtZoom(deps, room.host_id)
    if (created.zoom_meeting_id === room.zoom_meeting_id) throw notCreated()
    return read(created)
  }
}

function notCreated(): AppError {
  return new AppError(
    'zoom_unavailable',
    'The meeting of this room could not be created at Zoom. Please try again later.',
  )
}

/** Ends the meeting for everyone; shows the end before Zoom's event. `seen` is the intended meeting. */
export async function endRoomMeeting(deps: Deps, by: HostActor, seen: SeenMeeting | undefined): Promise<Room> {
  await requireOpenSession(deps.db, by.session_id)
  const room = await requireRoomAtZoom(deps, by.host_id)
  const { is_live, live_since, meeting_uuid } = await findRoom(deps, by)
  if ((seen?.live_since || seen?.meeting_uuid) && !is_live) throw notLive() // Zoom may already run the next one
  const isOtherStart = seen?.live_since && live_since && Date.parse(seen.live_since) !== Date.parse(live_since)
  if (isOtherStart || (seen?.meeting_uuid && seen.meeting_uuid !== meeting_uuid))
    throw new AppError('state_changed', 'Another meeting has begun in the meantime. It goes on.')
  const deadline = deadlineIn(ZOOM_TIMEOUT_MS)
  try {
    await deps.zoom.callFor(by.host_id, endMeeting(room.zoom_meeting_id), deadline)
  } catch (error) {
    throw await toRefusal(deps, room, error, deadline)
  }
  await endSittingsBefore(deps, room, new Date(deps.now()))
  await audit(deps, deps.db, by, { action: 'meeting_ended', target: room.id })
  return findRoom(deps, by)
}

/** Checks any refusal, because Zoom does not document how it refuses to end a meeting that does not run. */
async function toRefusal(deps: Deps, room: RoomAtZoom, error: unknown, deadline: Deadline): Promise<unknown> {
  if (isFault(error, 'scope'))
    return new AppError(
      'zoom_reconnect',
      'Zoom does not let Parley end meetings yet. End it in Zoom, and ask your administrator to connect Zoom again.',
      { cause: error },
    )
  if (!isFault(error, 'not_found', 'refused', 'invalid')) return toAppError(error)
  const state = await reconcileMeeting(deps, room, deadline).catch(() => 'unknown')
  if (state === 'started' || state === 'unknown') return toAppError(error)
  await endSittingsBefore(deps, room, new Date(deps.now())) // the state may be newer than the lag allows for
  return notLive(error)
}

const notLive = (cause?: unknown) => new AppError('meeting_not_live', 'The meeting is not running.', { cause })
