import type { ChangePassword } from '../../../shared/account.ts'
import { normaliseForComparison } from '../../../shared/normalise.ts'
import { audit } from '../../db/audit-log.ts'
import { lockConsoleAccount } from '../../db/lock-host.ts'
import type { Deps } from '../../deps.ts'
import { invalidField } from '../../errors.ts'
import { refuseCommonPassword } from '../auth/common-passwords.ts'
import { voidSignInLinksOfHost } from '../phones/void-pending-sign-ins.ts'
import type { AccountOwner } from './accounts.ts'
import { requireOwnPassword, wrongPassword } from './own-password.ts'

const CHANGED = 'password_changed'

/** Ends all other console sessions of the account, and returns how many they were. */
export async function changePassword(
  deps: Deps,
  by: AccountOwner,
  { current_password, new_password }: ChangePassword,
): Promise<number> {
  const account = await requireOwnPassword(deps, by, current_password, 'current_password')
  const name = normaliseForComparison(account.signInName)
  if (new_password === current_password) throw refused('This is the password that you have. Choose another.')
  if ([name, normaliseForComparison(account.email)].includes(normaliseForComparison(new_password)))
    throw refused('The password must not be the username or the email address')
  await refuseCommonPassword(new_password, 'new_password')
  const password_hash = await deps.passwords.hashNew(new_password, by.id)

  const ended = await deps.db.transaction().execute(async (tx) => {
    await lockConsoleAccount(tx, by)
    const changed = await tx
      .updateTable(by.role === 'host' ? 'hosts' : 'masters')
      .set({ password_hash, password_changed_at: new Date(deps.now()) })
      .where('id', '=', by.id)
      .where('password_hash', '=', account.password_hash)
      .returning('id')
      .executeTakeFirst()
    if (!changed) throw wrongPassword('current_password') // it was changed while this one was being checked
    if (by.role === 'host') await voidSignInLinksOfHost(tx, by.id)
    const others = await deps.sessions.endRows(tx, { all_but: by.session_id, of: by }, CHANGED)
    await audit(deps, tx, by, { action: CHANGED, target: by.id, after: { sessions_ended: others.length } })
    return others
  })
  deps.sessions.forget(ended, CHANGED)
  return ended.length
}

const refused = (message: string) => invalidField('new_password', message)
