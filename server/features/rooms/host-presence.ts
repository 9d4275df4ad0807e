import type { Deps } from '../../deps.ts'
import { findLiveSitting } from './sittings.ts'

/** Unknown where the meeting runs and nothing says that the host is in it. */
export type HostPresence = 'present' | 'absent' | 'unknown'

/**
 * Whether the host is in its room's meeting. Zoom's events tell of its joins and leaves, by its phone or by its Zoom
 * user, but not of the join that starts the meeting, and a meeting goes on without its host. A host whose phone is
 * online while the meeting runs counts as present.
 */
export async function hostPresence(
  { db, rooms }: Deps,
  { room_id, host_id }: { room_id: string; host_id: string },
): Promise<HostPresence> {
  const sitting = await findLiveSitting(db, room_id)
  if (!sitting) return 'absent'
  const joins = await db
    .selectFrom('sitting_people')
    .select('is_in')
    .where('room_id', '=', room_id)
    .where('meeting_uuid', '=', sitting.meeting_uuid)
    .where('room_user_id', '=', host_id)
    .execute()
  if (joins.length > 0) return joins.some(({ is_in }) => is_in) ? 'present' : 'absent'
  const room = await rooms.of(host_id)
  return room.isOnline(host_id) ? 'present' : 'unknown'
}
