import type { Selectable } from 'kysely'
import { DAY_MS, MINUTE_MS } from '../../../shared/dates.ts'
import { isSameEmail, normaliseForComparison } from '../../../shared/normalise.ts'
import type { MasterActor } from '../../db/actor.ts'
import type { Db, Tx } from '../../db/client.ts'
import type { Tables } from '../../db/tables.ts'
import type { Deps } from '../../deps.ts'
import { AppError, invalidField } from '../../errors.ts'
import type { OAuthAttempt } from './oauth-states.ts'
import type { ZoomAccount } from './zoom-links.ts'

const RESULT_MS = 10 * MINUTE_MS
const KEPT_MS = DAY_MS

type Row = Selectable<Tables['oauth_results']>

/** Binds each token's ciphertext to its row and field. */
export const resultAad = (id: string, field: 'access_token' | 'refresh_token') => `oauth_results.${field}:${id}`

const claimed = (claimed_at: Date) => ({ claimed_at, access_token_ciphertext: '', refresh_token_ciphertext: '' })

/**
 * Stores no tokens if the attempt named a host, which is linked already. Zoom invalidates the tokens of the same user's
 * earlier consents, so their unclaimed results cannot be claimed any more.
 */
export async function storeResult(
  deps: Deps,
  db: Db | Tx,
  { master_id, host_id, result_id: id }: OAuthAttempt,
  account: Omit<ZoomAccount, 'linked_host_id'>,
): Promise<void> {
  const now = deps.now()
  await db
    .deleteFrom('oauth_results')
    .where('expires_at', '<', new Date(now - KEPT_MS))
    .execute()
  await db
    .updateTable('oauth_results')
    .set(claimed(new Date(now)))
    .where('zoom_account_id', '=', account.zoom_account_id)
    .where('zoom_user_id', '=', account.zoom_user_id)
    .where('claimed_at', 'is', null)
    .where('host_id', 'is', null)
    .execute()
  const seal = (field: 'access_token' | 'refresh_token') =>
    host_id ? '' : deps.secrets.encrypt(account[field], resultAad(id, field))
  await db
    .insertInto('oauth_results')
    .values({
      id,
      master_id,
      host_id,
      email: account.email,
      email_key: normaliseForComparison(account.email),
      zoom_user_id: account.zoom_user_id,
      zoom_account_id: account.zoom_account_id,
      pmi: account.pmi,
      display_name: account.display_name,
      scopes: account.scopes,
      access_token_ciphertext: seal('access_token'),
      refresh_token_ciphertext: seal('refresh_token'),
      access_expires_at: account.access_expires_at,
      warnings: JSON.stringify(account.warnings),
      expires_at: new Date(now + RESULT_MS),
    })
    .execute()
}

/** Finds a result for the master who began the attempt. */
export async function findResult(deps: Deps, by: MasterActor, id: string) {
  const result = await deps.db
    .selectFrom('oauth_results')
    .select(['email', 'host_id'])
    .where('id', '=', id)
    .where('master_id', '=', by.id)
    .where('expires_at', '>', new Date(deps.now()))
    .executeTakeFirst()
  if (!result) throw new AppError('not_found', 'This Zoom connection is not known, or too old. Please connect again.')
  return result
}

interface Claim {
  master_id: string
  result_id: string
  email: string
}

/** Locks the row if `db` is a transaction. */
export async function requireOAuthResult(
  deps: Deps,
  db: Db | Tx,
  { master_id, result_id, email }: Claim,
): Promise<Row> {
  const found = await db
    .selectFrom('oauth_results')
    .selectAll()
    .where('id', '=', result_id)
    .where('master_id', '=', master_id)
    .forUpdate()
    .executeTakeFirst()
  const isGood =
    found && (found.host_id !== null || (found.claimed_at === null && found.expires_at.getTime() > deps.now()))
  if (!isGood)
    throw invalidField('oauth_result_id', 'This Zoom connection is used or too old. Please connect Zoom again.')
  if (!isSameEmail(found.email, email))
    throw invalidField('oauth_result_id', `Zoom was connected as ${found.email}, not as ${email}.`)
  return found
}

/** Claims a result once. A result that the callback has linked to its host has no tokens, and may be claimed again. */
export async function claimOAuthResult(deps: Deps, tx: Tx, claim: Claim): Promise<ZoomAccount> {
  const found = await requireOAuthResult(deps, tx, claim)
  const now = new Date(deps.now())
  if (found.host_id) return accountOf(found, { access_token: '', refresh_token: '' })

  const reveal = (field: 'access_token' | 'refresh_token') =>
    deps.secrets.decrypt(found[`${field}_ciphertext`], resultAad(found.id, field))
  await tx.updateTable('oauth_results').set(claimed(now)).where('id', '=', found.id).execute()
  return accountOf(found, { access_token: reveal('access_token'), refresh_token: reveal('refresh_token') })
}

function accountOf(row: Row, tokens: { access_token: string; refresh_token: string }): ZoomAccount {
  const { zoom_user_id, zoom_account_id, email, display_name, pmi, scopes, access_expires_at, warnings } = row
  const linked_host_id = row.host_id
  return {
    ...tokens,
    ...{ zoom_user_id, zoom_account_id, email, display_name, pmi, scopes, access_expires_at, warnings, linked_host_id },
  }
}
