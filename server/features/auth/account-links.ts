import type { AccountLinkPurpose } from '../../../shared/account-links.ts'
import { DAY_MS } from '../../../shared/dates.ts'
import { normaliseForComparison } from '../../../shared/normalise.ts'
import type { Actor } from '../../db/actor.ts'
import type { Tx } from '../../db/client.ts'
import type { Deps } from '../../deps.ts'
import { randomToken, sha256 } from '../../lib/secrets.ts'
import { type Site, siteOrigins } from '../../lib/sites.ts'
import { requirePresentMaster } from './masters.ts'

const INVITATION_MS = 7 * DAY_MS
const RULES: Record<AccountLinkPurpose, { site: Site; validMs: number }> = {
  master_invite: { site: 'master', validMs: INVITATION_MS },
  master_reset: { site: 'master', validMs: DAY_MS },
  host_reset: { site: 'host', validMs: DAY_MS },
  assistant_invite: { site: 'host', validMs: INVITATION_MS },
}

/** A proxy that guards the master site guards the links of masters too. The public site answers all, for programs. */
export function isLinkAnsweredAt(site: Site | null, purpose: AccountLinkPurpose): boolean {
  return site !== 'host' || RULES[purpose].site === site
}

/** The account whose password a link sets. An invited master has none before it uses the link. */
export type LinkedAccount =
  | { master_id: string }
  | { host_id: string }
  | { assistant_id: string }
  | { email: string; full_name: string | null }

interface NewAccountLink {
  purpose: AccountLinkPurpose
  account: LinkedAccount
  removes_second_factor?: boolean
}

export interface MadeAccountLink {
  id: string
  /** Holds the token in its fragment, which browsers send to no server. */
  url: string
  expires_at: Date
}

/** Replaces the account's earlier link. Call under a lock of the account, and audit it in the same transaction. */
export async function makeAccountLink(
  { config, now }: Pick<Deps, 'config' | 'now'>,
  tx: Tx,
  by: Actor,
  { purpose, account, removes_second_factor = false }: NewAccountLink,
): Promise<MadeAccountLink> {
  const maker_id = by.role === 'master' ? by.id : null
  if (maker_id) await requirePresentMaster(tx, maker_id)
  const { site, validMs } = RULES[purpose]
  const token = randomToken()
  const created_at = new Date(now())
  const expires_at = new Date(created_at.getTime() + validMs)
  await voidAccountLinks(tx, account)
  const { id } = await tx
    .insertInto('account_links')
    .values({
      ...account,
      ...('email' in account && { email_key: normaliseForComparison(account.email) }),
      purpose,
      token_hash: sha256(token),
      maker_id,
      removes_second_factor,
      created_at,
      expires_at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, url: `${siteOrigins(config)[site]}/link#${token}`, expires_at }
}

/** Call in the transaction that sets the account's password otherwise, or removes the account. */
export async function voidAccountLinks(tx: Tx, account: LinkedAccount): Promise<void> {
  const links = tx.deleteFrom('account_links')
  if ('master_id' in account) await links.where('master_id', '=', account.master_id).execute()
  else if ('host_id' in account) await links.where('host_id', '=', account.host_id).execute()
  else if ('assistant_id' in account) await links.where('assistant_id', '=', account.assistant_id).execute()
  else await links.where('email_key', '=', normaliseForComparison(account.email)).execute()
}

/** Includes those of its assistants. Call in the transaction that deletes or cancels the host. */
export async function voidAccountLinksOfHost(tx: Tx, host_id: string): Promise<void> {
  await voidAccountLinks(tx, { host_id })
  const assistants = tx.selectFrom('assistants').select('id').where('host_id', '=', host_id)
  await tx.deleteFrom('account_links').where('assistant_id', 'in', assistants).execute()
}
