import { randomInt } from 'node:crypto'
import { RECOVERY_CODES } from '../../../shared/second-factor.ts'
import { audit } from '../../db/audit-log.ts'
import type { Tx } from '../../db/client.ts'
import { lockConsoleAccount } from '../../db/lock-host.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import type { QueuePlace } from '../auth/passwords.ts'
import type { ConsoleAccount } from '../auth/session-rows.ts'
import { mailSecurityChange } from '../mail/mail-security-change.ts'
import { type FactorOwner, ownerColumn, ownerColumns } from './factor-owner.ts'
import { hasSecondFactor } from './factors.ts'

/** Crockford's base 32 has no letters that are read as digits. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const PREFIX_LENGTH = 2
const LENGTH = 12

interface NewCodes {
  codes: string[]
  rows: { prefix: string; hash: string }[]
}

/** Makes ten codes and hashes them, before a transaction, since that takes a while. No two begin alike. */
export async function prepareRecoveryCodes({ passwords }: Deps, { id }: ConsoleAccount): Promise<NewCodes> {
  passwords.count(id, RECOVERY_CODES)
  const byPrefix = new Map<string, string>()
  while (byPrefix.size < RECOVERY_CODES) {
    const code = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
    byPrefix.set(code.slice(0, PREFIX_LENGTH), code)
  }
  const all = [...byPrefix]
  const rows = await Promise.all(all.map(async ([prefix, code]) => ({ prefix, hash: await passwords.hash(code, id) })))
  return { codes: all.map(([, code]) => formatCode(code)), rows }
}

/** Replaces the account's codes. Returns the new ones as they are shown. */
export async function storeRecoveryCodes(
  tx: Tx,
  account: ConsoleAccount,
  { codes, rows }: NewCodes,
): Promise<string[]> {
  await tx.deleteFrom('recovery_codes').where(ownerColumn(account), '=', account.id).execute()
  await tx
    .insertInto('recovery_codes')
    .values(rows.map((row) => ({ ...ownerColumns(account), ...row })))
    .execute()
  return codes
}

/** Makes ten new codes; the old ones are void. */
export async function makeRecoveryCodes(deps: Deps, by: FactorOwner): Promise<string[]> {
  if (!(await hasSecondFactor(deps.db, by))) throw noFactor()
  const prepared = await prepareRecoveryCodes(deps, by)
  return deps.db.transaction().execute(async (tx) => {
    await lockConsoleAccount(tx, by)
    if (!(await hasSecondFactor(tx, by))) throw noFactor()
    await audit(deps, tx, by, { action: 'recovery_codes_made', target: by.id })
    await mailSecurityChange(deps, tx, by, { change: 'recovery_codes_made', ip: by.ip })
    return storeRecoveryCodes(tx, by, prepared)
  })
}

/** Finds the row of a code of the account; null for a wrong one, after as long. One hash is checked at most. */
export async function findRecoveryCode(
  { db, passwords }: Deps,
  account: ConsoleAccount,
  typed: string,
  turn: QueuePlace,
): Promise<string | null> {
  const { prefix, code } = readRecoveryCode(typed)
  const row = await db
    .selectFrom('recovery_codes')
    .select(['id', 'hash'])
    .where(ownerColumn(account), '=', account.id)
    .where('prefix', '=', prefix)
    .executeTakeFirst()
  return (await passwords.isRight(code, row?.hash ?? null, turn)) && row ? row.id : null
}

/** Uses a code up. Returns false if it was used or replaced meanwhile. */
export async function spendRecoveryCode(tx: Tx, id: string): Promise<boolean> {
  return (await tx.deleteFrom('recovery_codes').where('id', '=', id).returning('id').executeTakeFirst()) !== undefined
}

/** Reads a code as it may be typed: in any case, with or without dashes, with letters that look like digits. */
function readRecoveryCode(typed: string): { prefix: string; code: string } {
  const code = typed
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1')
  return { prefix: code.slice(0, PREFIX_LENGTH), code }
}

/** Writes `7K4F2M9QX1RT` as `7K-4F2M9-QX1RT`. */
function formatCode(code: string): string {
  return [code.slice(0, PREFIX_LENGTH), code.slice(PREFIX_LENGTH, 7), code.slice(7)].join('-')
}

function noFactor(): AppError {
  return new AppError('conflict', 'Add a second factor first: recovery codes take its place when it is lost.')
}
