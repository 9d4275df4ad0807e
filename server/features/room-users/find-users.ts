import { setImmediate } from 'node:timers/promises'
import { normaliseForComparison } from '../../../shared/normalise.ts'
import { RoomUser, type RoomUsersQuery } from '../../../shared/room-users.ts'
import { jsonSlices } from '../../lib/json-slices.ts'
import { sha256 } from '../../lib/secrets.ts'
import type { LiveRoom } from '../live-room/live-room.ts'
import { nextUserId } from '../live-room/state/roster.ts'

/** Users that are looked at before other calls go on, less than a millisecond. */
const SLICE = 250

/**
 * Returns the matching users with their live state, in the order of the whole list. The ETag combines the whole list
 * and the query. It is read first, so that a change in between makes it too old, not too new.
 */
export async function findUsers(room: LiveRoom, query: RoomUsersQuery): Promise<{ etag: string; body: Buffer }> {
  const etag = `${room.users.etag.slice(0, -1)}.${sha256(JSON.stringify(query)).slice(0, 12)}"`
  const roster = room.roster()
  const { search = '', status, group, offset = 0, limit = roster.length } = query
  const needle = normaliseForComparison(search)
  const found: RoomUser[] = []
  for (let from = 0; from < roster.length; from += SLICE) {
    for (const { id, username, user_id, reference, group_ids = [] } of roster.slice(from, from + SLICE)) {
      if (group !== undefined && !group_ids.includes(group)) continue
      if (![username, user_id, reference ?? ''].some((text) => normaliseForComparison(text).includes(needle))) continue
      const user = room.user(id)
      if (user && (status === undefined || user.status === status)) found.push(user)
    }
    await setImmediate()
  }
  const page = found.slice(offset, offset + limit)
  const users = await Array.fromAsync(jsonSlices(RoomUser, page, (user) => user))
  const rest = `"next_user_id":"${nextUserId(roster)}","groups":${JSON.stringify(room.groups)},"total":${found.length}`
  return { etag, body: Buffer.from(`{"success":true,"data":{"users":${users.join('')},${rest}}}`) }
}
