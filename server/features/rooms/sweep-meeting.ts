import { sql } from 'kysely'
import type { Deps } from '../../deps.ts'
import { readMeeting } from '../../zoom/calls.ts'
import type { Deadline } from '../../zoom/deadline.ts'
import { isFault } from '../../zoom/errors.ts'
import type { ZoomMeeting } from '../../zoom/schemas.ts'
import { connectRoom } from './room-meeting.ts'
import { findLiveSitting, upsertSitting } from './sittings.ts'
import { publishPeopleInMeeting } from './zoom-events.ts'

export interface RoomAtZoom {
  id: string
  host_id: string
  zoom_meeting_id: string
}

/** What Zoom's API says may lag behind what its events have told. */
const LAG_MS = 60_000

/**
 * Asks Zoom whether the room's meeting runs, and puts right what an event that never came would have told. A meeting that
 * is gone is made again. Throws where Zoom cannot say.
 */
export async function lookAtMeeting(
  deps: Deps,
  room: RoomAtZoom,
  deadline: Deadline,
): Promise<'started' | 'waiting' | 'gone'> {
  const askedAt = new Date(deps.now())
  let meeting: ZoomMeeting
  try {
    meeting = await deps.zoom.callFor(room.host_id, readMeeting(room.zoom_meeting_id), deadline)
  } catch (error) {
    if (!isFault(error, 'not_found')) throw error
    await endSittings(deps, room, askedAt)
    await connectRoom(deps, room.host_id)
    return 'gone'
  }
  if (meeting.status === 'started') {
    await beginSitting(deps, room, meeting, askedAt)
    return 'started'
  }
  await endSittings(deps, room, new Date(askedAt.getTime() - LAG_MS))
  return 'waiting'
}

/** Ends what was last told of before that moment. Nobody is in it any more. */
async function endSittings(deps: Deps, room: RoomAtZoom, before: Date): Promise<void> {
  const ended = await deps.db
    .updateTable('sittings')
    .set({ is_live: false, live_told_at: sql<Date>`greatest(live_told_at, ${before})` })
    .where('room_id', '=', room.id)
    .where('is_live', '=', true)
    .where('live_told_at', '<=', before)
    .returning('meeting_uuid')
    .execute()
  if (ended.length > 0) await publishPeopleInMeeting(deps, room.host_id, room.id)
}

/** Where one is known to run there is nothing to add. Of another the beginning is not known, only that it is the last. */
async function beginSitting(deps: Deps, room: RoomAtZoom, { uuid }: ZoomMeeting, at: Date): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    await tx.selectFrom('rooms').select('id').where('id', '=', room.id).forNoKeyUpdate().execute()
    if (await findLiveSitting(tx, room.id)) return
    const { last } = await tx
      .selectFrom('sittings')
      .select((eb) => eb.fn.max('began_at').as('last'))
      .where('room_id', '=', room.id)
      .executeTakeFirstOrThrow()
    const began_at = new Date((last?.getTime() ?? 0) + 1) // before whatever Zoom may tell of it later
    const sitting = { room_id: room.id, meeting_id: room.zoom_meeting_id, meeting_uuid: uuid || 'unknown', began_at }
    await upsertSitting(tx, sitting, true, at)
  })
}
