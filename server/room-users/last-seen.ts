import type { Db } from '../db.ts'
import type { LiveRoom } from '../room-events/live-room.ts'
import type { RosterEntry } from '../room-events/participant.ts'

/** Writes down when phones were last seen, in one statement for all that left together. */
export async function saveLastSeen(db: Db, room: LiveRoom, left: RosterEntry[]): Promise<void> {
  const ids = left.map((entry) => entry.id)
  const last_seen = left[0]?.last_seen ?? null
  await db.updateTable('room_users').set({ last_seen }).where('room_id', '=', room.id).where('id', 'in', ids).execute()
  if (ids.includes(room.hostId))
    await db.updateTable('hosts').set({ last_seen }).where('id', '=', room.hostId).execute()
}
