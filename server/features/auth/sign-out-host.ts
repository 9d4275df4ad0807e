import type { DeactivationReason } from '../../../shared/room-events.ts'
import type { Deps } from '../../deps.ts'
import type { Session } from './sessions.ts'

/** Tells the phones of ended sessions why, then forgets the sessions, which closes their streams. */
export async function signOutHost(
  deps: Deps,
  hostId: string,
  sessions: Session[],
  reason: DeactivationReason,
): Promise<void> {
  const room = await deps.rooms.of(hostId)
  const phones = sessions.filter((session) => session.role === 'phone')
  await room.signOut(
    phones.map((session) => session.room_user_id ?? hostId),
    reason,
  )
  deps.sessions.dropped(sessions, reason)
}
