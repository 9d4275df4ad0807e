import type { Deps } from '../../deps.ts'
import { readMeeting } from '../../zoom/calls.ts'
import type { Deadline } from '../../zoom/deadline.ts'
import { isFault } from '../../zoom/errors.ts'
import type { ZoomMeeting } from '../../zoom/schemas.ts'
import { storeJoinUrl } from './join-url.ts'
import { connectRoom } from './room-meeting.ts'
import { endSittings, findLiveSitting, upsertSitting } from './sittings.ts'
import { publishMeeting } from './zoom-events.ts'

export interface RoomAtZoom {
  id: string
  host_id: string
  zoom_meeting_id: string
}

/** Zoom's API may lag behind its events. */
const LAG_MS = 60_000

/**
 * Reads from Zoom if the room's meeting runs, and makes up for lost events. Recreates a meeting that is gone. Throws if
 * Zoom does not answer.
 */
export async function reconcileMeeting(
  deps: Deps,
  room: RoomAtZoom,
  deadline: Deadline,
): Promise<'started' | 'waiting' | 'gone'> {
  const calledAt = new Date(deps.now())
  let meeting: ZoomMeeting
  try {
    meeting = await deps.zoom.callFor(room.host_id, readMeeting(room.zoom_meeting_id), deadline)
  } catch (error) {
    if (!isFault(error, 'not_found')) throw error
    await endSittingsBefore(deps, room, calledAt)
    await connectRoom(deps, room.host_id)
    return 'gone'
  }
  await storeJoinUrl(deps, room, meeting.join_url)
  if (meeting.status === 'started') {
    await beginSitting(deps, room, meeting, calledAt)
    return 'started'
  }
  await endSittingsBefore(deps, room, new Date(calledAt.getTime() - LAG_MS))
  return 'waiting'
}

export async function endSittingsBefore(deps: Deps, room: RoomAtZoom, before: Date): Promise<void> {
  if (await endSittings(deps.db, room.id, before)) await publishMeeting(deps, room.host_id, room.id)
}

/** Begins a sitting of unknown start: it is only known to be the room's latest. */
async function beginSitting(deps: Deps, room: RoomAtZoom, { uuid }: ZoomMeeting, at: Date): Promise<void> {
  const hasBegun = await deps.db.transaction().execute(async (tx) => {
    await tx.selectFrom('rooms').select('id').where('id', '=', room.id).forNoKeyUpdate().execute()
    if (await findLiveSitting(tx, room.id)) return false
    const { last } = await tx
      .selectFrom('sittings')
      .select((eb) => eb.fn.max('began_at').as('last'))
      .where('room_id', '=', room.id)
      .executeTakeFirstOrThrow()
    const began_at = new Date((last?.getTime() ?? 0) + 1) // before any start that a later event may bring
    const meeting = { meeting_id: room.zoom_meeting_id, meeting_uuid: uuid || 'unknown' }
    const sitting = { room_id: room.id, ...meeting, began_at, started_at: null }
    await upsertSitting(tx, sitting, true, at)
    return true
  })
  if (hasBegun) await publishMeeting(deps, room.host_id, room.id)
}
