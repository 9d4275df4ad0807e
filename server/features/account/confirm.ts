import type { Confirm } from '../../../shared/account.ts'
import { audit } from '../../db/audit-log.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import type { Session } from '../auth/session-rows.ts'
import { ACCOUNT_TABLES, type AccountOwner } from './accounts.ts'
import { requireOwnPassword, wrongPassword } from './own-password.ts'

/** Confirms a session, and no other of its account. */
export async function confirmByPassword(deps: Deps, by: AccountOwner, session: Session, { password }: Confirm) {
  const { password_hash } = await requireOwnPassword(deps, by, password, 'password')
  const at = deps.now()
  await deps.db.transaction().execute(async (tx) => {
    const account = tx.selectFrom(ACCOUNT_TABLES[by.role]).select('id').where('id', '=', by.id)
    const isCurrent = await account.where('password_hash', '=', password_hash).forShare().executeTakeFirst()
    if (!isCurrent) throw wrongPassword('password') // it was changed while this one was being checked
    const confirmed = await tx
      .updateTable('sessions')
      .set({ confirmed_at: new Date(at) })
      .where('id', '=', session.id)
      .where('ended_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (!confirmed) throw new AppError('not_signed_in', 'Please sign in again.')
    await audit(deps, tx, by, { action: 'confirmed', target: by.id })
  })
  session.confirmed_at = at
}
