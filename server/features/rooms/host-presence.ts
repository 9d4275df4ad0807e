import type { Deps } from '../../deps.ts'
import { findLiveSitting } from './sittings.ts'

/** Unknown where the meeting runs and neither Zoom nor the host's phone shows the host in it. */
export type HostPresence = 'present' | 'absent' | 'unknown'

/**
 * Zoom sends events for the host's joins and leaves, by its phone or its Zoom user, but none for the join that starts the
 * meeting, and a meeting goes on without its host. A host whose phone is online while the meeting runs counts as present.
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
