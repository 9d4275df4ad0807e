import type { DeactivationReason } from '../../../shared/room-events.ts'
import { audit } from '../../db/audit-log.ts'
import type { Deps } from '../../deps.ts'
import type { Session } from './session-rows.ts'

/** Ends a session at its owner's request; the reason `logout` of a phone is its host's. */
export async function logOut(deps: Deps, { id, role, master_id, host_id, room_user_id }: Session, ip: string) {
  const owner = master_id ?? room_user_id ?? host_id
  const ended = await deps.db.transaction().execute(async (tx) => {
    await audit(deps, tx, { actor_role: role, actor_id: owner, host_id, action: `${role}_logout`, target: owner, ip })
    return deps.sessions.endRows(tx, { session_id: id }, 'signed_out')
  })
  deps.sessions.forget(ended, 'signed_out')
}

/** Sends the reason to the phones of ended sessions, then drops the sessions, which closes their streams. */
export async function signOutSessions(
  deps: Deps,
  hostId: string,
  sessions: Session[],
  reason: DeactivationReason,
): Promise<void> {
  if (sessions.length === 0) return
  const room = await deps.rooms.get(hostId)
  const phones = sessions.filter((session) => session.role === 'phone')
  await room.commands.signOut(
    phones.map((session) => session.room_user_id ?? hostId),
    reason,
  )
  deps.sessions.forget(sessions, reason)
}
