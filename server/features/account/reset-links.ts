import type { MasterActor } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import { lockHost } from '../../db/lock-host.ts'
import type { Deps } from '../../deps.ts'
import { AppError, notFound } from '../../errors.ts'
import { type MadeAccountLink, makeAccountLink } from '../auth/account-links.ts'

/** The present password works until the link is used. */
export function makeHostResetLink(
  deps: Deps,
  by: MasterActor,
  id: string,
  { removes_second_factor }: { removes_second_factor: boolean },
): Promise<MadeAccountLink> {
  return deps.db.transaction().execute(async (tx) => {
    const host = await lockHost(tx, id)
    if (!host || host.deleted_at) throw notFound('Host')
    if (host.subscription_cancelled_at)
      throw new AppError('conflict', 'This subscription is cancelled, so the host cannot sign in. Extend it first.')
    const link = await makeAccountLink(deps, tx, by, {
      purpose: 'host_reset',
      account: { host_id: id },
      removes_second_factor,
    })
    const after = { expires_at: link.expires_at, removes_second_factor }
    await audit(deps, tx, by, { host_id: id, action: 'reset_link_made', target: id, after })
    return link
  })
}
