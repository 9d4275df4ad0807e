import type { Host } from '../../../shared/hosts.ts'
import type { MasterActor } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import type { Deps } from '../../deps.ts'
import { AppError, notFound } from '../../errors.ts'
import { voidAccountLinksOfHost } from '../auth/account-links.ts'
import { signOutSessions } from '../auth/log-out.ts'
import { voidSignInLinksOfHost } from '../phones/void-pending-sign-ins.ts'
import { deleteLink, revokeGrant } from '../zoom-accounts/zoom-links.ts'
import { findHost, RETENTION_MS } from './hosts.ts'
import { HOST_NAMES, nameTaken, requireFreeNames } from './name-taken.ts'

/** Ends the host's sessions and frees its names; the rows stay for 30 days. Returns the username. */
export async function deleteHost(deps: Deps, by: MasterActor, id: string): Promise<string> {
  const now = new Date(deps.now())
  const deleted = await deps.rooms.withRoomLock(id, async () => {
    const done = await deps.db.transaction().execute(async (tx) => {
      const host = await tx
        .updateTable('hosts')
        .set({ deleted_at: now, updated_at: now })
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .returning(['username', 'email'])
        .executeTakeFirst()
      if (!host) throw notFound('Host')
      const sessions = await deps.sessions.endRows(tx, { host_id: id }, 'deleted')
      await voidAccountLinksOfHost(tx, id)
      await voidSignInLinksOfHost(tx, id)
      await audit(deps, tx, by, { host_id: id, action: 'host_deleted', target: id, before: host })
      const { link } = await deleteLink(deps, tx, id, by)
      return { username: host.username, sessions, link }
    })
    await signOutSessions(deps, id, done.sessions, 'deleted')
    await deps.rooms.forget(id)
    return done
  })
  if (deleted.link) await revokeGrant(deps, deleted.link)
  return deleted.username
}

/** Undoes a deletion within 30 days. Sessions stay ended, and Zoom disconnected, because its grant was revoked. */
export async function restoreHost(deps: Deps, by: MasterActor, id: string): Promise<Host> {
  const now = deps.now()
  await deps.db
    .transaction()
    .execute(async (tx) => {
      const host = await tx.selectFrom('hosts').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
      if (!host) throw notFound('Host')
      if (!host.deleted_at) throw new AppError('conflict', 'This host is not deleted.')
      if (host.purge_started_at || host.deleted_at.getTime() + RETENTION_MS <= now)
        throw new AppError('conflict', 'It is too late: the data of this host is being removed.')
      await requireFreeNames(tx, host, id)
      await tx
        .updateTable('hosts')
        .set({ deleted_at: null, updated_at: new Date(now) })
        .where('id', '=', id)
        .execute()
      const before = { deleted_at: host.deleted_at }
      await audit(deps, tx, by, { host_id: id, action: 'host_restored', target: id, before })
    })
    .catch((error: unknown) => {
      throw nameTaken(error, HOST_NAMES)
    })
  return findHost(deps, id)
}
