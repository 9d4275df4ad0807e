import type { Confirm } from '../../../shared/account.ts'
import type { PasskeyOptions } from '../../../shared/passkeys.ts'
import { audit } from '../../db/audit-log.ts'
import type { Tx } from '../../db/client.ts'
import { lockConsoleAccount } from '../../db/lock-host.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { randomToken } from '../../lib/secrets.ts'
import type { Session } from '../auth/session-rows.ts'
import { keepChallenge, takeChallenge } from '../second-factor/passkey-challenges.ts'
import { findPasskey, notVerified, passkeyRequest, spendPasskey } from '../second-factor/passkeys.ts'
import { ACCOUNT_TABLES, type AccountOwner } from './accounts.ts'
import { requireOwnPassword, wrongPassword } from './own-password.ts'

/** Returns what a browser needs to confirm with a passkey; null if none works at this site. */
export async function confirmOptions(deps: Deps, by: AccountOwner, rpId: string): Promise<PasskeyOptions | null> {
  const challenge = randomToken()
  const options = await passkeyRequest(deps.db, by, { rpId, challenge })
  if (options) await keepChallenge(deps, by, { purpose: 'confirm', challenge, rp_id: rpId })
  return options
}

/** Confirms a session, and no other of its account. */
export async function confirmSession(
  deps: Deps,
  by: AccountOwner,
  { session, rpId }: { session: Session; rpId: string },
  { password, passkey }: Confirm,
): Promise<void> {
  const holds = passkey ? await checkPasskey(deps, by, passkey, rpId) : await checkPassword(deps, by, password ?? '')
  const at = deps.now()
  await deps.db.transaction().execute(async (tx) => {
    await lockConsoleAccount(tx, by)
    const confirmed = await tx
      .updateTable('sessions')
      .set({ confirmed_at: new Date(at) })
      .where('id', '=', session.id)
      .where('ended_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (!confirmed) throw new AppError('not_signed_in', 'Please sign in again.')
    await holds(tx)
    await audit(deps, tx, by, { action: 'confirmed', target: by.id })
  })
  session.confirmed_at = at
}

/** Checks again in the transaction, because it may have changed meanwhile. */
type Holds = (tx: Tx) => Promise<void>

async function checkPassword(deps: Deps, by: AccountOwner, password: string): Promise<Holds> {
  const { password_hash } = await requireOwnPassword(deps, by, password, 'password')
  return async (tx) => {
    const account = tx.selectFrom(ACCOUNT_TABLES[by.role]).select('id').where('id', '=', by.id)
    const isCurrent = await account.where('password_hash', '=', password_hash).forShare().executeTakeFirst()
    if (!isCurrent) throw wrongPassword('password')
  }
}

async function checkPasskey(
  deps: Deps,
  by: AccountOwner,
  response: NonNullable<Confirm['passkey']>,
  rpId: string,
): Promise<Holds> {
  const challenge = await takeChallenge(deps, by, { purpose: 'confirm', rp_id: rpId })
  const { used } = await deps.loginThrottle.showPasskey(by.ip, async () => {
    const used = await findPasskey(deps, by, { response, challenge, rpId })
    return { used, isRight: used !== null }
  })
  if (!used) {
    await deps.refusedCalls.audit(by, { action: 'confirm_failed', target: by.id })
    throw notVerified()
  }
  return async (tx) => {
    if (!(await spendPasskey(deps, tx, used))) throw notVerified()
  }
}
