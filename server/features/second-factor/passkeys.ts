import type { ConfirmMethod } from '../../../shared/errors.ts'
import type { AddPasskey, NewPasskeyOptions, PasskeyOptions, PasskeyResponse } from '../../../shared/passkeys.ts'
import { PASSKEYS_MAX } from '../../../shared/passkeys.ts'
import { audit } from '../../db/audit-log.ts'
import type { Db, Tx } from '../../db/client.ts'
import { lockConsoleAccount } from '../../db/lock-host.ts'
import type { Deps } from '../../deps.ts'
import { AppError, notFound } from '../../errors.ts'
import type { ConsoleAccount } from '../auth/session-rows.ts'
import { mailSecurityChange } from '../mail/mail-security-change.ts'
import { type FactorOwner, ownerColumn, ownerColumns } from './factor-owner.ts'
import { countRecoveryCodes } from './factors.ts'
import { keepChallenge, takeChallenge } from './passkey-challenges.ts'
import { prepareRecoveryCodes, storeRecoveryCodes } from './recovery-codes.ts'
import { keepLastFactor } from './remove-factor.ts'
import { originOf } from './rp-id.ts'

/** The formats of attestations for which the library trusts makers of its own. */
const TRUSTED_FORMATS = ['android-key', 'android-safetynet', 'apple'] as const

/**
 * Loads the library with its first use: most servers of most installations never need it. No attestation is asked for,
 * so that none is traced to its maker, which would call the addresses of revocation lists that its certificates name.
 */
async function webauthn() {
  const library = await import('@simplewebauthn/server')
  for (const identifier of TRUSTED_FORMATS)
    library.SettingsService.setRootCertificates({ identifier, certificates: [] })
  return library
}

/** Returns what a browser needs to make a passkey for the site `rpId`, under the name that signs in. */
export async function beginPasskey(
  deps: Deps,
  by: FactorOwner,
  { rpId, userName }: { rpId: string; userName: string },
): Promise<NewPasskeyOptions> {
  const passkeys = await listPasskeys(deps.db, by)
  if (passkeys.length >= PASSKEYS_MAX) throw tooMany()
  const { generateRegistrationOptions } = await webauthn()
  const options = await generateRegistrationOptions({
    rpName: 'Parley',
    rpID: rpId,
    userName,
    userID: new Uint8Array(Buffer.from(by.id.replaceAll('-', ''), 'hex')),
    attestationType: 'none',
    excludeCredentials: passkeys.map(({ credential_id }) => ({ id: credential_id })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
  })
  await keepChallenge(deps, by, { purpose: 'add', challenge: options.challenge, rp_id: rpId })
  return { ...options }
}

/** Stores a passkey. Returns it, and ten recovery codes unless the account has some. */
export async function addPasskey(deps: Deps, by: FactorOwner, { name, passkey }: AddPasskey, rpId: string) {
  const expectedChallenge = await takeChallenge(deps, by, { purpose: 'add', rp_id: rpId })
  const { verifyRegistrationResponse } = await webauthn()
  const verified = await verifyRegistrationResponse({
    response: { ...passkey, clientExtensionResults: {} },
    expectedChallenge,
    expectedOrigin: originOf(deps.config, rpId),
    expectedRPID: rpId,
  }).catch(() => null)
  if (!verified?.verified) throw notVerified()
  const { id: credential_id, publicKey, counter } = verified.registrationInfo.credential
  const prepared = (await countRecoveryCodes(deps.db, by)) === 0 ? await prepareRecoveryCodes(deps, by) : null
  const created_at = new Date(deps.now())

  return deps.db.transaction().execute(async (tx) => {
    await lockConsoleAccount(tx, by)
    if ((await listPasskeys(tx, by)).length >= PASSKEYS_MAX) throw tooMany()
    const added = await tx
      .insertInto('passkeys')
      .values({
        ...ownerColumns(by),
        name,
        credential_id,
        public_key: Buffer.from(publicKey).toString('base64url'),
        counter,
        transports: passkey.response.transports ?? [],
        rp_id: rpId,
        created_at,
      })
      .onConflict((conflict) => conflict.column('credential_id').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!added) throw new AppError('conflict', 'This passkey has been added already.')
    await audit(deps, tx, by, { action: 'passkey_added', target: by.id, after: { name } })
    await mailSecurityChange(deps, tx, by, { change: 'passkey_added', ip: by.ip })
    const hasCodes = (await countRecoveryCodes(tx, by)) > 0
    if (!hasCodes && !prepared) throw new AppError('conflict', 'Your second factor has changed. Please try again.')
    return {
      passkey: { id: added.id, name, created_at: created_at.toISOString(), last_used_at: null, usable_here: true },
      recovery_codes: hasCodes || !prepared ? undefined : await storeRecoveryCodes(tx, by, prepared),
    }
  })
}

export async function removePasskey(deps: Deps, by: FactorOwner, id: string): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    await lockConsoleAccount(tx, by)
    const removed = await tx
      .deleteFrom('passkeys')
      .where('id', '=', id)
      .where(ownerColumn(by), '=', by.id)
      .returning('name')
      .executeTakeFirst()
    if (!removed) throw notFound('Passkey')
    await keepLastFactor(tx, by)
    await audit(deps, tx, by, { action: 'passkey_removed', target: by.id, before: { name: removed.name } })
    await mailSecurityChange(deps, tx, by, { change: 'passkey_removed', ip: by.ip })
  })
}

/** Returns what a browser needs to use one of the account's passkeys at this site; null if none works there. */
export async function passkeyRequest(
  db: Db,
  account: ConsoleAccount,
  { rpId, challenge }: { rpId: string; challenge: string },
): Promise<PasskeyOptions | null> {
  const usable = (await listPasskeys(db, account)).filter(({ rp_id }) => rp_id === rpId)
  if (usable.length === 0) return null
  const { generateAuthenticationOptions } = await webauthn()
  const options = await generateAuthenticationOptions({
    rpID: rpId,
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    allowCredentials: usable.map(({ credential_id, transports }) => ({ id: credential_id, transports })),
    userVerification: 'required',
  })
  return { ...options }
}

/** Lists the ways in which an account may confirm a session at this site. */
export async function confirmMethods(
  { db }: Pick<Deps, 'db'>,
  account: ConsoleAccount,
  rpId: string,
): Promise<ConfirmMethod[]> {
  const passkeys = await listPasskeys(db, account)
  return passkeys.some(({ rp_id }) => rp_id === rpId) ? ['password', 'passkey'] : ['password']
}

/** Returns the row of a passkey of the account that has signed the challenge, and its new counter; null otherwise. */
export async function findPasskey(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  account: ConsoleAccount,
  { response, challenge, rpId }: { response: PasskeyResponse; challenge: string; rpId: string },
): Promise<{ id: string; counter: number } | null> {
  const own = (await listPasskeys(db, account)).find((one) => one.credential_id === response.id && one.rp_id === rpId)
  if (!own) return null
  const { verifyAuthenticationResponse } = await webauthn()
  const verified = await verifyAuthenticationResponse({
    response: { ...response, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: originOf(config, rpId),
    expectedRPID: rpId,
    credential: {
      id: own.credential_id,
      publicKey: new Uint8Array(Buffer.from(own.public_key, 'base64url')),
      counter: Number(own.counter),
    },
  }).catch(() => null)
  return verified?.verified ? { id: own.id, counter: verified.authenticationInfo.newCounter } : null
}

/** Notes the use of a passkey. Returns false if it was removed meanwhile. */
export async function spendPasskey(
  { now }: Pick<Deps, 'now'>,
  tx: Tx,
  { id, counter }: { id: string; counter: number },
): Promise<boolean> {
  const used = tx
    .updateTable('passkeys')
    .set({ counter, last_used_at: new Date(now()) })
    .where('id', '=', id)
  return (await used.returning('id').executeTakeFirst()) !== undefined
}

function listPasskeys(db: Db | Tx, account: ConsoleAccount) {
  return db.selectFrom('passkeys').selectAll().where(ownerColumn(account), '=', account.id).execute()
}

function tooMany(): AppError {
  return new AppError('conflict', `An account has at most ${PASSKEYS_MAX} passkeys. Remove one first.`)
}

export function notVerified(): AppError {
  return new AppError('second_factor_wrong', 'This passkey could not be verified.')
}
