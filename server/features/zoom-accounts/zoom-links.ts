import { type Selectable, sql } from 'kysely'
import type { ZoomWarning } from '../../../shared/hosts.ts'
import type { Actor } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import type { Db, Tx } from '../../db/client.ts'
import { nextChangeNumber } from '../../db/next-change-number.ts'
import type { Tables } from '../../db/tables.ts'
import type { Deps } from '../../deps.ts'
import { invalidField } from '../../errors.ts'
import { deadlineIn } from '../../zoom/deadline.ts'
import type { TokenPair } from '../../zoom/oauth.ts'
import { encryptTokens, linkAad } from '../../zoom/tokens.ts'

type Link = Selectable<Tables['zoom_links']>

/** A Zoom user that has consented, identified by its ids, because its e-mail may change at Zoom. */
export interface ZoomAccount extends TokenPair {
  zoom_user_id: string
  zoom_account_id: string
  email: string
  display_name: string | null
  pmi: string | null
  warnings: ZoomWarning[]
  /** The host that the callback has already linked, if the attempt named one. */
  linked_host_id: string | null
}

const REVOKE_MS = 5_000

/**
 * Links the host to this Zoom account, in place of any earlier one. After the commit call `connectRoom`, and
 * `revokeGrant` for the returned link of another Zoom user that this one replaces.
 */
export async function linkHost(
  deps: Deps,
  tx: Tx,
  host_id: string,
  account: ZoomAccount,
  by: Actor,
): Promise<Link | null> {
  if (account.linked_host_id === host_id) return null
  if (account.linked_host_id) throw invalidField('oauth_result_id', 'This Zoom account was connected for another host.')
  await requireFreeZoomUser(tx, host_id, account)
  const now = new Date(deps.now())
  const before = await tx.selectFrom('zoom_links').selectAll().where('host_id', '=', host_id).executeTakeFirst()
  const link = {
    zoom_user_id: account.zoom_user_id,
    zoom_account_id: account.zoom_account_id,
    email: account.email,
    pmi: account.pmi,
    scopes: account.scopes,
    ...encryptTokens(deps.secrets, host_id, account),
    reconnect_needed: false,
    refresh_lease: null,
    refresh_lease_until: null,
    warnings: JSON.stringify(account.warnings),
    updated_at: now,
    connected_at: now,
    next_check_at: now,
  }
  await tx
    .insertInto('zoom_links')
    .values({ ...link, host_id, created_at: now })
    .onConflict((conflict) => conflict.column('host_id').doUpdateSet(link))
    .execute()
  const acts = { before: before && { email: before.email }, after: { email: account.email } }
  await audit(deps, tx, by, { host_id, action: 'zoom_connected', target: host_id, ...acts })
  return before && before.zoom_user_id !== account.zoom_user_id ? before : null
}

/** Throws if another host uses this Zoom user. Serialises transactions that link the same Zoom user. */
async function requireFreeZoomUser(tx: Tx, host_id: string, account: ZoomAccount): Promise<void> {
  const { zoom_account_id, zoom_user_id, email } = account
  const key = `zoom user ${zoom_account_id} ${zoom_user_id}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(tx)
  const holder = await findLinkedHost(tx, zoom_account_id, zoom_user_id)
  if (holder && holder.id !== host_id) throw invalidField('oauth_result_id', alreadyConnected(email, holder.username))
}

export function alreadyConnected(email: string, username: string): string {
  return `The Zoom account ${email} is connected to the host "${username}" already.`
}

/** Finds the host whose room already uses this Zoom user. */
export function findLinkedHost(db: Db | Tx, zoom_account_id: string, zoom_user_id: string) {
  return db
    .selectFrom('zoom_links')
    .innerJoin('hosts', 'hosts.id', 'zoom_links.host_id')
    .select(['hosts.id', 'hosts.username'])
    .where('zoom_account_id', '=', zoom_account_id)
    .where('zoom_user_id', '=', zoom_user_id)
    .where('hosts.deleted_at', 'is', null)
    .executeTakeFirst()
}

/** Stores the new tokens for the host of the same Zoom user, because a new consent invalidates the old ones. */
export async function replaceTokens(deps: Deps, host_id: string, pair: TokenPair): Promise<void> {
  await deps.db
    .updateTable('zoom_links')
    .set({
      ...encryptTokens(deps.secrets, host_id, pair),
      reconnect_needed: false,
      refresh_lease: null,
      refresh_lease_until: null,
      updated_at: new Date(deps.now()),
      connected_at: new Date(deps.now()),
    })
    .where('host_id', '=', host_id)
    .execute()
}

/** Deletes the grant and the meeting's id, then revokes the grant at Zoom. */
export async function disconnectHost(deps: Deps, host_id: string, by: Actor): Promise<void> {
  const { link, change_number } = await deps.db.transaction().execute((tx) => deleteLink(deps, tx, host_id, by))
  await deps.rooms.commit(host_id, change_number, [{ type: 'meeting', meeting_id: null }])
  if (link) await revokeGrant(deps, link)
}

/** Call `rooms.commit` with the returned number after the commit, to drop the room's meeting, then `revokeGrant`. */
export async function deleteLink(deps: Deps, tx: Tx, host_id: string, by: Actor) {
  const link = await tx.deleteFrom('zoom_links').where('host_id', '=', host_id).returningAll().executeTakeFirst()
  const { change_number } = await nextChangeNumber(tx, host_id)
  await tx
    .updateTable('rooms')
    .set({
      zoom_meeting_id: null,
      passcode_ciphertext: null,
      join_url_ciphertext: null,
      passcode_change_requested_at: null,
    })
    .where('host_id', '=', host_id)
    .execute()
  const before = { email: link?.email }
  if (link) await audit(deps, tx, by, { host_id, action: 'zoom_disconnected', target: host_id, before })
  return { link, change_number }
}

/** Revokes the grant at Zoom. A failure is only logged, because our copy has been deleted already. */
export async function revokeGrant(deps: Deps, link: Link): Promise<void> {
  const { host_id } = link
  if (link.reconnect_needed) return
  const reveal = (field: 'access_token' | 'refresh_token') =>
    deps.secrets.decrypt(link[`${field}_ciphertext`], linkAad(host_id, field))
  await revokeTokens(deps, { ...link, reveal })
}

interface SealedPair {
  access_expires_at: Date
  reveal(field: 'access_token' | 'refresh_token'): string
}

/** Refreshes an expired token first, because Zoom revokes only by a valid access token. */
export async function revokeTokens({ zoom, now, log }: Deps, { access_expires_at, reveal }: SealedPair): Promise<void> {
  try {
    const deadline = deadlineIn(REVOKE_MS)
    const isLive = access_expires_at.getTime() > now()
    const token = isLive
      ? reveal('access_token')
      : (await zoom.oauth.refresh(reveal('refresh_token'), deadline)).access_token
    await zoom.oauth.revoke(token, deadline)
  } catch (error) {
    log.warn({ err: error }, 'zoom.token_revoke_failed')
  }
}
