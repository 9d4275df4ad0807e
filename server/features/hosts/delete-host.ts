import { audit, byMaster } from '../../db/audit-log.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import type { SignedInMaster } from '../auth/guards.ts'
import { signOutSessions } from '../auth/log-out.ts'
import { forgetLink, revokeGrant } from '../zoom-accounts/zoom-links.ts'

/** Ends everything of a host at once and frees its names; the rows stay for 30 days. Returns its username. */
export async function deleteHost(deps: Deps, { master_id }: SignedInMaster, id: string, ip: string): Promise<string> {
  const now = new Date(deps.now())
  const deleted = await deps.rooms.exclusively(id, async () => {
    const done = await deps.db.transaction().execute(async (tx) => {
      const host = await tx
        .updateTable('hosts')
        .set({ deleted_at: now, updated_at: now })
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .returning(['username', 'email'])
        .executeTakeFirst()
      if (!host) throw new AppError('not_found', 'Host not found')
      const sessions = await deps.sessions.endRows(tx, { host_id: id }, 'deleted')
      const by = byMaster(master_id, ip)
      await audit(deps, tx, { ...by, host_id: id, action: 'host_deleted', target: id, before: host })
      const link = await forgetLink(deps, tx, id, by)
      return { username: host.username, sessions, link }
    })
    await signOutSessions(deps, id, done.sessions, 'deleted')
    await deps.rooms.forget(id)
    return done
  })
  if (deleted.link) await revokeGrant(deps, deleted.link)
  return deleted.username
}
