import type { Actor } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import { AppError, notFound } from '../../errors.ts'
import { voidAccountLinks } from '../auth/account-links.ts'
import { removeSecondFactors } from '../second-factor/remove-second-factors.ts'
import type { MastersDeps } from './list-masters.ts'
import { lockMasters } from './lock-masters.ts'

const REMOVED = 'removed'

/** Keeps the row, for the name in the audit. Returns the email. */
export async function removeMaster(deps: MastersDeps, by: Actor, id: string): Promise<string> {
  const { email, ended } = await deps.db.transaction().execute(async (tx) => {
    const masters = await lockMasters(tx)
    const master = masters.find((one) => one.id === id)
    if (!master) throw notFound('Master')
    if (masters.length === 1) throw new AppError('last_master', 'This is the last master. Invite another one first.')
    const { email } = master
    await audit(deps, tx, by, { action: 'master_removed', target: id, before: { email } })
    await tx
      .updateTable('masters')
      .set({ removed_at: new Date(deps.now()) })
      .where('id', '=', id)
      .execute()
    await voidAccountLinks(tx, { master_id: id })
    await removeSecondFactors(tx, { role: 'master', id })
    await tx.deleteFrom('account_links').where('maker_id', '=', id).execute()
    await tx.deleteFrom('oauth_states').where('master_id', '=', id).execute()
    await tx.deleteFrom('oauth_results').where('master_id', '=', id).execute()
    return { email, ended: await deps.sessions.endRows(tx, { of: { role: 'master', id } }, REMOVED) }
  })
  deps.sessions.forget(ended, REMOVED)
  return email
}
