import type { DeactivationReason } from '../../../shared/room-events.ts'
import { regardlessOfSession } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import type { Deps } from '../../deps.ts'
import type { SignedIn } from './guards.ts'
import type { Session } from './session-rows.ts'

/** Ends the actor's session at its own request; the reason `logout` of a phone is its host's. */
export async function logOut(deps: Deps, by: SignedIn): Promise<void> {
  const ended = await deps.db.transaction().execute(async (tx) => {
    await audit(deps, tx, regardlessOfSession(by), { action: `${by.role}_logout`, target: by.id })
    return deps.sessions.endRows(tx, { session_id: by.session_id }, 'signed_out')
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
