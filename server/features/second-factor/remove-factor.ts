import type { Tx } from '../../db/client.ts'
import { AppError } from '../../errors.ts'
import type { ConsoleAccount } from '../auth/session-rows.ts'
import { ownerColumn } from './factor-owner.ts'
import { hasSecondFactor } from './factors.ts'
import { isRequiredOf, readRequirement } from './requirement.ts'

/** Call when a factor was removed: refuses to remove the last one that is required; without any, codes are of no use. */
export async function keepLastFactor(tx: Tx, account: ConsoleAccount): Promise<void> {
  if (await hasSecondFactor(tx, account)) return
  if (isRequiredOf(await readRequirement(tx), account))
    throw new AppError('conflict', 'This is your last second factor, and one is required. Add another first.')
  await tx.deleteFrom('recovery_codes').where(ownerColumn(account), '=', account.id).execute()
}
