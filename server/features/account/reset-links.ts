import type { MasterActor } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import { lockHost } from '../../db/lock-host.ts'
import type { Deps } from '../../deps.ts'
import { AppError, notFound } from '../../errors.ts'
import { type MadeAccountLink, makeAccountLink } from '../auth/account-links.ts'
import { queueMail } from '../mail/mail-queue.ts'

/** The present password works until the link is used. */
export function makeHostResetLink(
  deps: Deps,
  by: MasterActor,
  id: string,
  { removes_second_factor, sends_mail }: { removes_second_factor: boolean; sends_mail: boolean },
): Promise<MadeAccountLink & { mailed: boolean }> {
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
    const expires_at = link.expires_at.toISOString()
    const { username, email: address } = host
    const mailed =
      sends_mail &&
      (await queueMail(deps, tx, {
        to: { address, host_id: id },
        link_id: link.id,
        content: { kind: 'host_reset', username, removes_second_factor, url: link.url, expires_at },
      }))
    const after = { expires_at, removes_second_factor, ...(mailed && { mailed }) }
    await audit(deps, tx, by, { host_id: id, action: 'reset_link_made', target: id, after })
    return { ...link, mailed }
  })
}
