import { normaliseForComparison } from '../../../shared/normalise.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { type AccountOwner, findAccount } from './accounts.ts'

/** Returns the account if the password is its own. A wrong one counts as a failed sign-in, and names the field. */
export async function requireOwnPassword(deps: Deps, by: AccountOwner, password: string, field: string) {
  const account = await findAccount(deps.db, by)
  const { isRight } = await deps.loginThrottle.guessInSession(
    throttleName(by, account.signInName),
    by,
    async (turn) => ({
      isRight: await deps.passwords.isRight(password, account.password_hash, turn),
    }),
  )
  if (isRight) return account
  await deps.refusedCalls.audit(by, { action: 'confirm_failed', target: by.id })
  throw wrongPassword(field)
}

/** Returns the name under which sign-ins of the account are counted. Assistants sign in where hosts do. */
function throttleName({ role }: Pick<AccountOwner, 'role'>, signInName: string): string {
  return `${role === 'master' ? 'master' : 'host'} ${normaliseForComparison(signInName)}`
}

export function wrongPassword(field: string): AppError {
  const message = 'This is not your current password.'
  return new AppError('wrong_credentials', message, { errors: [{ path: field, msg: message }] })
}
