import { audit } from '../../db/audit-log.ts'
import type { Deps } from '../../deps.ts'
import type { Session } from './sessions.ts'

/** Ends a session by the wish of whoever it belongs to. */
export async function logOut(deps: Deps, { id, role, master_id, host_id, room_user_id }: Session, ip: string) {
  const who = master_id ?? room_user_id ?? host_id
  const ended = await deps.db.transaction().execute(async (tx) => {
    await audit(deps, tx, { actor_role: role, actor_id: who, host_id, action: `${role}_logout`, target: who, ip })
    return deps.sessions.endRows(tx, { session_id: id }, 'logout')
  })
  deps.sessions.dropped(ended, 'logout')
}
