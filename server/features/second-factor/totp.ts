import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import { MINUTE_MS } from '../../../shared/dates.ts'
import { audit } from '../../db/audit-log.ts'
import type { Tx } from '../../db/client.ts'
import { lockConsoleAccount } from '../../db/lock-host.ts'
import { requireOpenSession } from '../../db/open-session.ts'
import type { Deps } from '../../deps.ts'
import { AppError, notFound } from '../../errors.ts'
import type { ConsoleAccount } from '../auth/session-rows.ts'
import { mailSecurityChange } from '../mail/mail-security-change.ts'
import { type FactorOwner, ownerColumn, ownerColumns } from './factor-owner.ts'
import { countRecoveryCodes } from './factors.ts'
import { prepareRecoveryCodes, storeRecoveryCodes } from './recovery-codes.ts'
import { keepLastFactor } from './remove-factor.ts'

/** A set-up has to be confirmed within this time. */
export const PENDING_MS = 10 * MINUTE_MS
const STEP_S = 30
/** A code of the step before or after is accepted too, because clocks differ. */
const WINDOW = 1

const APP = { issuer: 'Parley', algorithm: 'SHA1', digits: 6, period: STEP_S }

/** Begins the set-up of an app, which shows `label`, and replaces one that was begun before. */
export async function beginTotp(deps: Deps, by: FactorOwner, label: string): Promise<{ secret: string; uri: string }> {
  const totp = new TOTP({ ...APP, label, secret: new Secret({ size: 20 }) })
  const id = randomUUID()
  await deps.db.transaction().execute(async (tx) => {
    await lockConsoleAccount(tx, by)
    await requireOpenSession(tx, by.session_id)
    const pending = tx.deleteFrom('totp_secrets').where(ownerColumn(by), '=', by.id).where('confirmed_at', 'is', null)
    await pending.execute()
    const added = await tx
      .insertInto('totp_secrets')
      .values({
        id,
        ...ownerColumns(by),
        secret_ciphertext: deps.secrets.encrypt(totp.secret.base32, totpAad(id)),
        created_at: new Date(deps.now()),
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!added) throw new AppError('conflict', 'An app is set up already. Remove it first.')
  })
  return { secret: totp.secret.base32, uri: totp.toString() }
}

/** Turns the app on. Returns ten recovery codes, unless the account has some. */
export async function confirmTotp(deps: Deps, by: FactorOwner, code: string): Promise<string[] | undefined> {
  const { db, now } = deps
  const pending = await db
    .selectFrom('totp_secrets')
    .selectAll()
    .where(ownerColumn(by), '=', by.id)
    .where('confirmed_at', 'is', null)
    .where('created_at', '>', new Date(now() - PENDING_MS))
    .executeTakeFirst()
  if (!pending) throw notPending()
  const step = findStep(deps, pending, code)
  if (step === null)
    throw new AppError('second_factor_wrong', 'This code is wrong. Enter the one that the app shows now.')
  const prepared = (await countRecoveryCodes(db, by)) === 0 ? await prepareRecoveryCodes(deps, by) : null

  return db.transaction().execute(async (tx) => {
    await lockConsoleAccount(tx, by)
    const isOn = await tx
      .updateTable('totp_secrets')
      .set({ confirmed_at: new Date(now()), used_steps: [step] })
      .where('id', '=', pending.id)
      .where('confirmed_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (!isOn) throw notPending()
    await audit(deps, tx, by, { action: 'totp_added', target: by.id })
    await mailSecurityChange(deps, tx, by, { change: 'totp_added', ip: by.ip })
    if ((await countRecoveryCodes(tx, by)) > 0) return undefined
    if (!prepared) throw notPending() // another session has removed the factor that had codes
    return storeRecoveryCodes(tx, by, prepared)
  })
}

export async function removeTotp(deps: Deps, by: FactorOwner): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    await lockConsoleAccount(tx, by)
    const removed = await tx
      .deleteFrom('totp_secrets')
      .where(ownerColumn(by), '=', by.id)
      .where('confirmed_at', 'is not', null)
      .returning('id')
      .executeTakeFirst()
    if (!removed) throw notFound('App')
    await keepLastFactor(tx, by)
    await audit(deps, tx, by, { action: 'totp_removed', target: by.id })
    await mailSecurityChange(deps, tx, by, { change: 'totp_removed', ip: by.ip })
  })
}

/** Returns the row and the step of a code that the account's app shows about now, and null for a wrong one. */
export async function findTotpStep(deps: Deps, account: ConsoleAccount, code: string) {
  const totp = await deps.db
    .selectFrom('totp_secrets')
    .selectAll()
    .where(ownerColumn(account), '=', account.id)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst()
  const step = totp ? findStep(deps, totp, code) : null
  return totp && step !== null && !totp.used_steps.includes(step) ? { id: totp.id, step } : null
}

/** Uses a step up. Returns false if it was used already: of many calls with one code, one succeeds. */
export async function spendTotpStep(tx: Tx, { id, step }: { id: string; step: number }): Promise<boolean> {
  const spent = await tx
    .updateTable('totp_secrets')
    .set({
      used_steps: sql`array(select used from unnest(used_steps) as used where used >= ${step - 2 * WINDOW}) || ${step}::integer`,
    })
    .where('id', '=', id)
    .where('confirmed_at', 'is not', null)
    .where(sql<boolean>`${step}::integer <> all (used_steps)`)
    .returning('id')
    .executeTakeFirst()
  return spent !== undefined
}

function findStep(
  { secrets, now }: Pick<Deps, 'secrets' | 'now'>,
  { id, secret_ciphertext }: { id: string; secret_ciphertext: string },
  code: string,
): number | null {
  const token = code.replaceAll(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return null
  const totp = new TOTP({ ...APP, secret: Secret.fromBase32(secrets.decrypt(secret_ciphertext, totpAad(id))) })
  const timestamp = now()
  const delta = totp.validate({ token, timestamp, window: WINDOW })
  return delta === null ? null : Math.floor(timestamp / 1000 / STEP_S) + delta
}

export const totpAad = (id: string) => `totp_secrets.secret:${id}`

function notPending(): AppError {
  return new AppError('conflict', 'No app is being set up, or it took too long. Please begin again.')
}
