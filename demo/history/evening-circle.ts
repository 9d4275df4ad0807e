import type { Db } from '../../server/db/client.ts'
import { circleHistory } from './circle-history.ts'
import { writeHistory } from './write-history.ts'

/** Gives the first sample room three weeks of meetings, once. */
export async function addCircleHistory(db: Db, host_id: string, now: number): Promise<void> {
  const room = await db
    .selectFrom('rooms')
    .select(['id', 'zoom_meeting_id'])
    .where('host_id', '=', host_id)
    .executeTakeFirst()
  if (!room?.zoom_meeting_id) return
  const found = await db
    .selectFrom('room_users')
    .select(['id', 'user_id', 'username'])
    .where('room_id', '=', room.id)
    .orderBy('user_id')
    .execute()
  await writeHistory(db, { host_id, room_id: room.id, meeting_id: room.zoom_meeting_id }, circleHistory(found, now))
}
