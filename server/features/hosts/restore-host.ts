import type { Host } from '../../../shared/hosts.ts'
import { audit, byMaster } from '../../db/audit-log.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import type { SignedInMaster } from '../auth/guards.ts'
import { findHost, RETENTION_MS } from './hosts.ts'
import { HOST_NAMES, nameTaken, requireFreeNames } from './name-taken.ts'

/**
 * Takes a deletion back within its 30 days: room, users, recordings and subscription are as they were. Sessions stay
 * ended, and Zoom stays disconnected, since its grant was given back.
 */
export async function restoreHost(deps: Deps, { master_id }: SignedInMaster, id: string, ip: string): Promise<Host> {
  const now = deps.now()
  await deps.db
    .transaction()
    .execute(async (tx) => {
      const host = await tx.selectFrom('hosts').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
      if (!host) throw new AppError('not_found', 'Host not found')
      if (!host.deleted_at) throw new AppError('conflict', 'This host is not deleted.')
      if (host.purging_at || host.deleted_at.getTime() + RETENTION_MS <= now)
        throw new AppError('conflict', 'It is too late: the data of this host is being removed.')
      await requireFreeNames(tx, host)
      await tx
        .updateTable('hosts')
        .set({ deleted_at: null, updated_at: new Date(now) })
        .where('id', '=', id)
        .execute()
      const before = { deleted_at: host.deleted_at }
      await audit(deps, tx, { ...byMaster(master_id, ip), host_id: id, action: 'host_restored', target: id, before })
    })
    .catch((error: unknown) => {
      throw nameTaken(error, HOST_NAMES)
    })
  return findHost(deps, id)
}
