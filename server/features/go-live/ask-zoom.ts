import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { deadlineIn, ZOOM_TIMEOUT_MS } from '../../zoom/deadline.ts'
import { isFault, ZoomError } from '../../zoom/errors.ts'
import { reconcileMeeting } from '../rooms/reconcile-meeting.ts'
import { connectRoom } from '../rooms/room-meeting.ts'

/** Zoom failed in this way, although the host is connected. */
export type ZoomSilence = 'unanswered' | 'refused'

const ENOUGH_SILENCES = 3

/**
 * Asks Zoom for the room's meeting, in one call: its token has to work, and the meeting has to be there. Makes a meeting
 * that is missing. Returns null if all is well, or if the connection is known to be lost. Zoom that has been silent too
 * often in this run is not asked: each silence may take many seconds.
 */
export async function askZoom(
  deps: Deps,
  host_id: string,
  run: { silences: number },
): Promise<ZoomSilence | 'busy' | null> {
  const room = await deps.db
    .selectFrom('rooms')
    .innerJoin('zoom_links', 'zoom_links.host_id', 'rooms.host_id')
    .select(['rooms.id', 'rooms.host_id', 'rooms.zoom_meeting_id', 'zoom_links.reconnect_needed'])
    .where('rooms.host_id', '=', host_id)
    .executeTakeFirst()
  if (!room || room.reconnect_needed) return null
  if (run.silences >= ENOUGH_SILENCES) return 'unanswered'
  const { zoom_meeting_id } = room
  try {
    if (zoom_meeting_id === null) {
      await connectRoom(deps, host_id)
      return null
    }
    const state = await reconcileMeeting(deps, { ...room, zoom_meeting_id }, deadlineIn(ZOOM_TIMEOUT_MS))
    run.silences = 0
    return state === 'gone' && (await hasMeeting(deps, host_id, zoom_meeting_id)) ? 'refused' : null
  } catch (error) {
    if (isFault(error, 'busy')) return 'busy'
    run.silences = isFault(error, 'unavailable') ? run.silences + 1 : 0
    if (isFault(error, 'unavailable', 'rate_limit')) return 'unanswered'
    if (error instanceof ZoomError || error instanceof AppError) return 'refused'
    throw error
  }
}

/** The room keeps the number of a lost meeting where Zoom makes no other. */
async function hasMeeting({ db }: Deps, host_id: string, zoom_meeting_id: string): Promise<boolean> {
  const room = await db
    .selectFrom('rooms')
    .select('id')
    .where('host_id', '=', host_id)
    .where('zoom_meeting_id', '=', zoom_meeting_id)
    .executeTakeFirst()
  return room !== undefined
}
