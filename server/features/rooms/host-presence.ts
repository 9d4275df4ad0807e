import type { ExpressionBuilder } from 'kysely'
import { HOUR_MS } from '../../../shared/dates.ts'
import type { Tables } from '../../db/tables.ts'
import type { Deps } from '../../deps.ts'
import { findLiveSitting } from './sittings.ts'

/** Unknown if the meeting runs, and neither Zoom nor the host's phone shows that the host is in it. */
export type HostPresence = 'present' | 'absent' | 'unknown'

/** Zoom's start link works this long. */
const LINK_MS = 2 * HOUR_MS

/**
 * Zoom reports the host's joins and leaves, except the join that starts the meeting, and a meeting goes on without its
 * host. So a host counts as present while its phone is online in a running meeting. If its start link was fetched
 * shortly before the meeting began, or later, it counts as present until the device without a reported join leaves,
 * which is the one that started the meeting. The host's seat in a console shows that the host is in it.
 */
export async function findHostPresence(
  { db, rooms }: Deps,
  { room_id, host_id }: { room_id: string; host_id: string },
): Promise<HostPresence> {
  const sitting = await findLiveSitting(db, room_id)
  if (!sitting) return 'absent'
  if ((await rooms.get(host_id)).seat.showsHost) return 'present'
  const devices = await db
    .selectFrom('sitting_people')
    .select(['is_present', 'join_reported'])
    .where('room_id', '=', room_id)
    .where('meeting_uuid', '=', sitting.meeting_uuid)
    .where('room_user_id', '=', host_id)
    .execute()
  if (devices.some(({ is_present }) => is_present)) return 'present'
  if (devices.some(({ join_reported }) => !join_reported)) return 'absent'
  const { start_requested_at } = await db
    .selectFrom('rooms')
    .select('start_requested_at')
    .where('id', '=', room_id)
    .executeTakeFirstOrThrow()
  if (isStartedByLink(sitting.started_at, start_requested_at)) return 'present'
  if ((await rooms.get(host_id)).isOnline(host_id)) return 'present'
  return devices.length > 0 ? 'absent' : 'unknown'
}

/** True once the host's app of Zoom's own that started a sitting has left it: Zoom reports no join of that one. */
export function hasStarterLeft(eb: ExpressionBuilder<Tables, 'sittings'>, host_id: string) {
  return eb.exists(
    eb
      .selectFrom('sitting_people')
      .select('participant')
      .whereRef('sitting_people.room_id', '=', 'sittings.room_id')
      .whereRef('sitting_people.meeting_uuid', '=', 'sittings.meeting_uuid')
      .where('room_user_id', '=', host_id)
      .where('join_reported', '=', false),
  )
}

/** Only the host has the start link. It is noted in a running meeting too, unless it is known who is in that. */
export function isStartedByLink(started_at: Date | null, start_requested_at: Date | null): boolean {
  if (!started_at || !start_requested_at) return false
  return started_at.getTime() - start_requested_at.getTime() <= LINK_MS
}
