import { comparable } from '../../../shared/normalise.ts'
import { RoomUsersAnswer, type RoomUsersQuery } from '../../../shared/room-users.ts'
import type { Deps } from '../../deps.ts'
import { sha256 } from '../../lib/secrets.ts'
import type { LiveRoom } from '../live-room/live-room.ts'
import { nextUserId } from '../live-room/state/roster.ts'

/**
 * Returns the matching users with their live state, in the order of the whole list. The ETag combines the whole list
 * and the query. It is read first, so that a change in between makes it too old, not too new.
 */
export async function findUsers(
  { db }: Deps,
  room: LiveRoom,
  query: RoomUsersQuery,
): Promise<{ etag: string; body: Buffer }> {
  const etag = `${room.users.etag.slice(0, -1)}.${sha256(JSON.stringify(query)).slice(0, 12)}"`
  const all = await db
    .selectFrom('room_users')
    .select(['id', 'user_id', 'user_id_key', 'username_key', 'reference'])
    .where('room_id', '=', room.id)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

  const { search = '', status, offset = 0, limit = all.length } = query
  const needle = comparable(search)
  const found = all
    .filter((row) =>
      [row.username_key, row.user_id_key, comparable(row.reference ?? '')].some((text) => text.includes(needle)),
    )
    .flatMap(({ id }) => room.user(id) ?? [])
    .filter((user) => status === undefined || user.status === status)
  const users = found.slice(offset, offset + limit)
  const data = { users, next_user_id: nextUserId(all), total: found.length }
  return { etag, body: Buffer.from(JSON.stringify(RoomUsersAnswer.parse({ success: true, data }))) }
}
