import type { SecondFactorLogin } from '../../../shared/auth.ts'
import type { SecondFactorMethod } from '../../../shared/second-factor.ts'
import type { Tx } from '../../db/client.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import type { QueuePlace } from '../auth/passwords.ts'
import type { SignInChallenge } from './challenges.ts'
import type { FactorAccount } from './factor-owner.ts'
import { findPasskey, spendPasskey } from './passkeys.ts'
import { findRecoveryCode, spendRecoveryCode } from './recovery-codes.ts'
import { findTotpStep, spendTotpStep } from './totp.ts'

/** A second factor that was shown. It is used up in the transaction of what it allows. */
export interface Proof {
  method: SecondFactorMethod
  /** Returns false if it was used up meanwhile. */
  spend(tx: Tx): Promise<boolean>
}

/** Checks what was shown; null if it is wrong or was used before. */
export async function checkProof(
  deps: Deps,
  { account, challenge }: { account: FactorAccount; challenge: SignInChallenge },
  { code, recovery_code, passkey }: SecondFactorLogin,
  turn: QueuePlace,
): Promise<Proof | null> {
  if (passkey) {
    const asked = { response: passkey, challenge: challenge.webauthn_challenge, rpId: challenge.rp_id }
    const used = await findPasskey(deps, account, asked)
    return used && { method: 'passkey', spend: (tx) => spendPasskey(deps, tx, used) }
  }
  if (recovery_code !== undefined) {
    const found = await findRecoveryCode(deps, account, recovery_code, turn)
    return found === null ? null : { method: 'recovery_code', spend: (tx) => spendRecoveryCode(tx, found) }
  }
  const shown = await findTotpStep(deps, account, code ?? '')
  return shown && { method: 'totp', spend: (tx) => spendTotpStep(tx, shown) }
}

export function wrongFactor(attempts_left: number, isCode: boolean): AppError {
  return new AppError(
    'second_factor_wrong',
    isCode ? 'This code is wrong, or was used before.' : 'This passkey could not be verified.',
    {
      details: { attempts_left },
    },
  )
}
