import { HOUR_MS } from '../../../shared/dates.ts'
import { lockConsoleAccount } from '../../db/lock-host.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { challengeExpired } from './challenges.ts'
import { type FactorAccount, ownerColumn, ownerColumns } from './factor-owner.ts'

/** The limit of wrong codes of one account, from any address and over all its challenges. */
const MAX_WRONG_CODES_PER_HOUR = 10

/** A try that counts as wrong from its beginning, so that no limit is passed by many at once. */
export interface Try {
  triesLeft: number
  /** The row that counts it against the account; null for a passkey, which nobody can guess. */
  failureId: string | null
}

/** Counts a try of a challenge. Throws, and counts nothing, if the challenge or the account has none left. */
export async function beginTry(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  { account, tokenHash, isCode }: { account: FactorAccount; tokenHash: string; isCode: boolean },
): Promise<Try> {
  return db.transaction().execute(async (tx) => {
    await lockConsoleAccount(tx, account)
    const challenge = await tx
      .updateTable('sign_in_challenges')
      .set((eb) => ({ tries_left: eb('tries_left', '-', 1) }))
      .where('token_hash', '=', tokenHash)
      .where('tries_left', '>', 0)
      .where('expires_at', '>', new Date(now()))
      .returning('tries_left')
      .executeTakeFirst()
    if (!challenge) throw challengeExpired()
    const triesLeft = challenge.tries_left
    if (!isCode) return { triesLeft, failureId: null }

    const wrong = await tx
      .selectFrom('second_factor_failures')
      .select('at')
      .where(ownerColumn(account), '=', account.id)
      .where('at', '>', new Date(now() - HOUR_MS))
      .orderBy('at', 'desc')
      .limit(MAX_WRONG_CODES_PER_HOUR)
      .execute()
    if (wrong.length === MAX_WRONG_CODES_PER_HOUR)
      throw tooManyCodes((wrong.at(-1)?.at.getTime() ?? 0) + HOUR_MS - now())
    const { id } = await tx
      .insertInto('second_factor_failures')
      .values({ ...ownerColumns(account), at: new Date(now()) })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { triesLeft, failureId: id }
  })
}

/** Takes a try back that was not wrong: the server was too busy to check it, or the challenge was void by then. */
export async function takeBackTry({ db }: Pick<Deps, 'db'>, tokenHash: string, { failureId }: Try): Promise<void> {
  if (failureId !== null) await db.deleteFrom('second_factor_failures').where('id', '=', failureId).execute()
  await db
    .updateTable('sign_in_challenges')
    .set((eb) => ({ tries_left: eb('tries_left', '+', 1) }))
    .where('token_hash', '=', tokenHash)
    .execute()
}

function tooManyCodes(waitMs: number): AppError {
  return new AppError('too_many', 'Too many wrong codes. Please try again later, or use a passkey.', {
    retryAfterSeconds: Math.ceil(waitMs / 1000),
  })
}
