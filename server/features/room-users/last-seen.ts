import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { LiveRoom } from '../live-room/live-room.ts'
import type { RosterEntry } from '../live-room/state/roster.ts'

/** Saves all users that went offline together in one statement. */
export async function saveLastSeen(db: Db, room: LiveRoom, users: RosterEntry[]): Promise<void> {
  const seen = JSON.stringify(users.map(({ id, last_seen }) => ({ id, last_seen })))
  await sql`update room_users set last_seen = seen.last_seen
    from jsonb_to_recordset(${seen}::jsonb) as seen (id uuid, last_seen timestamptz)
    where room_users.id = seen.id and room_users.room_id = ${room.id}`.execute(db)
  const host = users.find(({ id }) => id === room.hostId)
  if (host) await db.updateTable('hosts').set({ last_seen: host.last_seen }).where('id', '=', room.hostId).execute()
}
