import type { MasterInvitation } from '../../../shared/masters.ts'
import { normaliseForComparison } from '../../../shared/normalise.ts'
import type { Actor } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import type { Tx } from '../../db/client.ts'
import { AppError, notFound } from '../../errors.ts'
import { type MadeAccountLink, makeAccountLink } from '../auth/account-links.ts'
import { listInvitations, type MastersDeps } from './list-masters.ts'
import { lockMasters } from './lock-masters.ts'

const MAX_MASTERS = 50
const MAX_INVITATIONS = 20

/** Mails a link in the transaction that makes it. Returns false if it is not mailed. */
type MailLink = (tx: Tx, link: MadeAccountLink) => Promise<boolean>

/** Replaces an earlier invitation of the same address. */
export function inviteMaster(
  deps: MastersDeps,
  by: Actor,
  { email, full_name }: { email: string; full_name: string | null },
  mailLink: MailLink = async () => false,
): Promise<{ invitation: MasterInvitation; url: string; mailed: boolean }> {
  const key = normaliseForComparison(email)
  return deps.db.transaction().execute(async (tx) => {
    const masters = await lockMasters(tx)
    const path = 'email'
    if (masters.some(({ email_key }) => email_key === key)) {
      const msg = 'A master has this email already'
      throw new AppError('conflict', msg, { errors: [{ path, msg }] })
    }
    const open = await listInvitations(tx, deps.now())
    const others = open.filter((one) => normaliseForComparison(one.email) !== key).length
    if (others >= MAX_INVITATIONS)
      throw new AppError('conflict', `${MAX_INVITATIONS} invitations are open. Cancel one of them first.`)
    if (masters.length + others >= MAX_MASTERS)
      throw new AppError('conflict', `There are at most ${MAX_MASTERS} masters, invited ones among them.`)
    const link = await makeAccountLink(deps, tx, by, { purpose: 'master_invite', account: { email, full_name } })
    const { id, url, expires_at } = link
    const mailed = await mailLink(tx, link)
    const after = { email, full_name, expires_at, ...(mailed && { mailed }) }
    await audit(deps, tx, by, { action: 'master_invited', target: id, after })
    const invitation = (await listInvitations(tx, deps.now())).find((one) => one.id === id)
    if (!invitation) throw notFound('Invitation')
    return { invitation, url, mailed }
  })
}

/** Fails with `not_found` if it was used, replaced or cancelled before. */
export async function cancelInvitation(deps: MastersDeps, by: Actor, id: string): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const before = await tx
      .deleteFrom('account_links')
      .where('id', '=', id)
      .where('purpose', '=', 'master_invite')
      .where('expires_at', '>', new Date(deps.now()))
      .returning(['email', 'full_name'])
      .executeTakeFirst()
    if (!before) throw notFound('Invitation')
    await audit(deps, tx, by, { action: 'master_invitation_cancelled', target: id, before })
  })
}
