import { audit } from '../audit.ts'
import type { SignedInMaster } from '../auth/guards.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { disconnectHost } from '../zoom/zoom.ts'
import { signOutHost } from './end-host-sessions.ts'

/** Ends everything of a host at once and frees its names; the rows stay for 30 days. Returns its username. */
export async function deleteHost(deps: Deps, { master_id }: SignedInMaster, id: string, ip: string): Promise<string> {
  const now = new Date(deps.now())
  const deleted = await deps.db.transaction().execute(async (tx) => {
    const host = await tx
      .updateTable('hosts')
      .set({ deleted_at: now, updated_at: now })
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .returning(['username', 'email'])
      .executeTakeFirst()
    if (!host) throw new AppError('not_found', 'Host not found')
    const sessions = await deps.sessions.endRows(tx, { host_id: id }, 'deleted')
    await audit(deps, tx, {
      actor_role: 'master',
      actor_id: master_id,
      host_id: id,
      action: 'host_deleted',
      target: id,
      ip,
      before: host,
    })
    return { username: host.username, sessions }
  })
  await signOutHost(deps, id, deleted.sessions, 'deleted')
  await disconnectHost(deps, id)
  await deps.rooms.forget(id)
  return deleted.username
}
