import type { Selectable } from 'kysely'
import { MINUTE_MS } from '../../../shared/dates.ts'
import type { SecondFactorMethod } from '../../../shared/second-factor.ts'
import { lockConsoleAccount } from '../../db/lock-host.ts'
import type { Tables } from '../../db/tables.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { randomToken, sha256 } from '../../lib/secrets.ts'
import { type FactorAccount, ownerColumn, ownerColumns } from './factor-owner.ts'
import { describeFactors } from './factors.ts'
import { passkeyRequest } from './passkeys.ts'

const VALID_MS = 5 * MINUTE_MS
export const CHALLENGE_TRIES = 5
/** More sign-ins of one account that wait at once than a person begins. The oldest gives way. */
const MAX_OPEN = 20

export type SignInChallenge = Selectable<Tables['sign_in_challenges']>

/** An account whose password was right, at the site `rpId`. */
interface FirstStep {
  account: FactorAccount
  password_hash: string
  rpId: string
}

/** Makes the answer to a right password of an account with a second factor: a challenge in place of a session. */
export async function needSecondFactor(deps: Deps, { account, password_hash, rpId }: FirstStep): Promise<AppError> {
  const { db, now } = deps
  const factors = await describeFactors(deps, account, rpId)
  const challenge = randomToken()
  const webauthn_challenge = randomToken()
  const expires_at = new Date(now() + VALID_MS)
  const isOwn = ownerColumn(account)
  await db.transaction().execute(async (tx) => {
    await lockConsoleAccount(tx, account)
    const open = tx.selectFrom('sign_in_challenges').select('token_hash').where(isOwn, '=', account.id)
    const tooMany = open
      .orderBy('created_at', 'desc')
      .orderBy('token_hash')
      .offset(MAX_OPEN - 1)
    await tx.deleteFrom('sign_in_challenges').where('token_hash', 'in', tooMany).execute()
    await tx
      .insertInto('sign_in_challenges')
      .values({
        token_hash: sha256(challenge),
        ...ownerColumns(account),
        password_hash,
        rp_id: rpId,
        webauthn_challenge,
        tries_left: CHALLENGE_TRIES,
        created_at: new Date(now()),
        expires_at,
      })
      .execute()
  })
  const passkey_options = await passkeyRequest(db, account, { rpId, challenge: webauthn_challenge })
  const methods: SecondFactorMethod[] = [
    ...(passkey_options ? ['passkey' as const] : []),
    ...(factors.totp ? ['totp' as const] : []),
    ...(factors.recovery_codes_left > 0 ? ['recovery_code' as const] : []),
  ]
  return new AppError('second_factor_needed', 'Please show your second factor.', {
    details: {
      second_factor: {
        challenge,
        methods,
        expires_at: expires_at.toISOString(),
        ...(passkey_options && { passkey_options }),
      },
    },
  })
}

/** Finds a challenge, expired ones too, by the token that the caller was given. */
export function findChallenge({ db }: Pick<Deps, 'db'>, token: string): Promise<SignInChallenge | undefined> {
  return db.selectFrom('sign_in_challenges').selectAll().where('token_hash', '=', sha256(token)).executeTakeFirst()
}

export function challengeExpired(): AppError {
  return new AppError('challenge_expired', 'This sign-in took too long or failed too often. Please sign in again.')
}
