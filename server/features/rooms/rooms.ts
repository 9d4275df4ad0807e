import type { Room } from '../../../shared/rooms.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { decryptPasscode } from './room-meeting.ts'
import { findLiveSitting } from './sittings.ts'

/** The host's one room; `password` is the passcode of its Zoom meeting. */
export async function findRoom(deps: Deps, { host_id }: { host_id: string }): Promise<Room> {
  const row = await deps.db
    .selectFrom('rooms')
    .innerJoin('hosts', 'hosts.id', 'rooms.host_id')
    .selectAll('rooms')
    .select('hosts.is_active')
    .where('hosts.id', '=', host_id)
    .executeTakeFirst()
  if (!row) throw new AppError('not_found', 'Room not found')
  const live = await deps.rooms.of(host_id)
  const sitting = await findLiveSitting(deps.db, row.id)
  return {
    room_id: row.id,
    room_name: row.name,
    name: row.name,
    zoom_meeting_id: row.zoom_meeting_id,
    password: decryptPasscode(deps, row),
    user_count: live.counts().total,
    is_active: row.is_active,
    is_live: sitting !== undefined,
    recording: sitting?.recording ?? 'none',
  }
}
