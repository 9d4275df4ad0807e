import type { Tx } from '../../db/client.ts'
import type { ConsoleAccount } from '../auth/session-rows.ts'
import { ownerColumn } from './factor-owner.ts'
import { hasSecondFactor } from './factors.ts'

const TABLES = ['totp_secrets', 'passkeys', 'recovery_codes', 'sign_in_challenges', 'second_factor_failures'] as const

/**
 * Removes all second factors of an account, with its recovery codes and the sign-ins that wait for one. Lock the account
 * first. Returns true if it had any.
 */
export async function removeSecondFactors(tx: Tx, account: ConsoleAccount): Promise<boolean> {
  const had = await hasSecondFactor(tx, account)
  for (const table of TABLES) await tx.deleteFrom(table).where(ownerColumn(account), '=', account.id).execute()
  return had
}
