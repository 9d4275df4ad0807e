import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { deadlineIn, ZOOM_TIMEOUT_MS } from '../../zoom/deadline.ts'
import { isFault, ZoomError } from '../../zoom/errors.ts'
import { reconcileMeeting } from '../rooms/reconcile-meeting.ts'
import { connectRoom } from '../rooms/room-meeting.ts'

/** Zoom failed in this way, although the host is connected. */
export type ZoomSilence = 'unanswered' | 'refused'

/**
 * Asks Zoom for the room's meeting, in one call: its token has to work, and the meeting has to be there. Makes a meeting
 * that is missing. Returns null if all is well, or if the connection is known to be lost.
 */
export async function askZoom(deps: Deps, host_id: string): Promise<ZoomSilence | 'busy' | null> {
  const room = await deps.db
    .selectFrom('rooms')
    .innerJoin('zoom_links', 'zoom_links.host_id', 'rooms.host_id')
    .select(['rooms.id', 'rooms.host_id', 'rooms.zoom_meeting_id', 'zoom_links.reconnect_needed'])
    .where('rooms.host_id', '=', host_id)
    .executeTakeFirst()
  if (!room || room.reconnect_needed) return null
  const { zoom_meeting_id } = room
  try {
    if (zoom_meeting_id === null) await connectRoom(deps, host_id)
    else await reconcileMeeting(deps, { ...room, zoom_meeting_id }, deadlineIn(ZOOM_TIMEOUT_MS))
    return null
  } catch (error) {
    if (isFault(error, 'busy')) return 'busy'
    if (isFault(error, 'unavailable', 'rate_limit')) return 'unanswered'
    if (error instanceof ZoomError || error instanceof AppError) return 'refused'
    throw error
  }
}
