import type { Insertable } from 'kysely'
import { MINUTE_MS } from '../../../shared/dates.ts'
import { requireOpenSession } from '../../db/open-session.ts'
import type { Tables } from '../../db/tables.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'

const VALID_MS = 5 * MINUTE_MS

type Challenge = Insertable<Tables['passkey_challenges']>
type InSession = { session_id: string }

/** Keeps what the browser has to sign, in place of an earlier challenge of the session for the same purpose. */
export async function keepChallenge(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  { session_id }: InSession,
  { purpose, ...rest }: Pick<Challenge, 'purpose' | 'challenge' | 'rp_id'>,
): Promise<void> {
  const kept = { ...rest, expires_at: new Date(now() + VALID_MS) }
  await db.transaction().execute(async (tx) => {
    await requireOpenSession(tx, session_id)
    await tx
      .insertInto('passkey_challenges')
      .values({ session_id, purpose, ...kept })
      .onConflict((conflict) => conflict.columns(['session_id', 'purpose']).doUpdateSet(kept))
      .execute()
  })
}

/** Returns the session's challenge and uses it up; throws if there is none. */
export async function takeChallenge(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  { session_id }: InSession,
  { purpose, rp_id }: Pick<Challenge, 'purpose' | 'rp_id'>,
): Promise<string> {
  const taken = await db.transaction().execute(async (tx) => {
    await requireOpenSession(tx, session_id)
    return tx
      .deleteFrom('passkey_challenges')
      .where('session_id', '=', session_id)
      .where('purpose', '=', purpose)
      .returning(['challenge', 'rp_id', 'expires_at'])
      .executeTakeFirst()
  })
  if (taken?.rp_id !== rp_id || taken.expires_at.getTime() <= now()) {
    const code = purpose === 'confirm' ? 'second_factor_wrong' : 'challenge_expired'
    throw new AppError(code, 'This took too long, or was begun twice. Please begin again.')
  }
  return taken.challenge
}
