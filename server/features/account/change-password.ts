import type { ChangePassword } from '../../../shared/account.ts'
import { audit } from '../../db/audit-log.ts'
import { lockConsoleAccount } from '../../db/lock-host.ts'
import type { Deps } from '../../deps.ts'
import { type LinkedAccount, voidAccountLinks } from '../auth/account-links.ts'
import { mailSecurityChange } from '../mail/mail-security-change.ts'
import { voidSignInLinksOfHost } from '../phones/void-pending-sign-ins.ts'
import { ACCOUNT_TABLES, type AccountOwner } from './accounts.ts'
import { requireOwnPassword, wrongPassword } from './own-password.ts'
import { refuseUnsuitablePassword } from './password-rules.ts'

const CHANGED = 'password_changed'

/** Ends all other console sessions of the account, and returns how many they were. */
export async function changePassword(
  deps: Deps,
  by: AccountOwner,
  { current_password, new_password }: ChangePassword,
): Promise<number> {
  const account = await requireOwnPassword(deps, by, current_password, 'current_password')
  await refuseUnsuitablePassword({
    password: new_password,
    field: 'new_password',
    names: [account.signInName, account.otherName],
    isCurrent: new_password === current_password,
  })
  const password_hash = await deps.passwords.hashNew(new_password, by.id)

  const ended = await deps.db.transaction().execute(async (tx) => {
    await lockConsoleAccount(tx, by)
    const changed = await tx
      .updateTable(ACCOUNT_TABLES[by.role])
      .set({ password_hash, password_changed_at: new Date(deps.now()) })
      .where('id', '=', by.id)
      .where('password_hash', '=', account.password_hash)
      .returning('id')
      .executeTakeFirst()
    if (!changed) throw wrongPassword('current_password') // it was changed while this one was being checked
    await voidAccountLinks(tx, linkedAccount(by))
    if (by.role === 'host') await voidSignInLinksOfHost(tx, by.id)
    const others = await deps.sessions.endRows(tx, { all_but: by.session_id, of: by }, CHANGED)
    await audit(deps, tx, by, { action: CHANGED, target: by.id, after: { sessions_ended: others.length } })
    await mailSecurityChange(deps, tx, by, { change: 'password_changed', ip: by.ip })
    return others
  })
  deps.sessions.forget(ended, CHANGED)
  return ended.length
}

function linkedAccount({ role, id }: AccountOwner): LinkedAccount {
  if (role === 'assistant') return { assistant_id: id }
  return role === 'host' ? { host_id: id } : { master_id: id }
}
