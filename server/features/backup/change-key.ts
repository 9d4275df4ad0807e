import { SYSTEM } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import type { Db, Tx } from '../../db/client.ts'
import { recordKey } from '../../db/installation-key.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Secrets } from '../../lib/secrets.ts'
import { readSecrets, reencryptSecrets } from './stored-secrets.ts'

export interface KeyChange {
  reencrypted: number
  sessions: number
  links: number
}

/** Tables of what works under the old key alone, and cannot be made again. */
const VOIDED = [
  'sign_in_links',
  'account_links',
  'sign_in_challenges',
  'passkey_challenges',
  'oauth_results',
  'oauth_states',
  'idempotency_keys',
  'known_devices',
] as const

/** Counts what a change of the key would do, and the secrets that make it impossible. */
export async function previewKeyChange(
  db: Db,
  from: Secrets,
  now: number,
): Promise<KeyChange & { unreadable: number }> {
  const { readable, unreadable } = await readSecrets(db, from)
  return { reencrypted: readable, unreadable, ...(await countOpen(db, now)) }
}

/** Encrypts every secret under another key, reads all of them back, and voids what cannot be made again. */
export async function changeKey(tx: Tx, from: Secrets, to: Secrets, now: Clock): Promise<KeyChange> {
  const before = await readSecrets(tx, from)
  const change = { reencrypted: before.readable, ...(await countOpen(tx, now())) }
  await reencryptSecrets(tx, from, to)
  const after = await readSecrets(tx, to)
  await recordKey(tx, to)
  if (after.digest !== before.digest || after.readable !== before.readable || after.unreadable > 0)
    throw new Error('the secrets did not read back as they were')
  await tx
    .updateTable('sessions')
    .set({ ended_at: new Date(now()), end_reason: 'key_changed' })
    .where('ended_at', 'is', null)
    .execute()
  for (const table of VOIDED) await tx.deleteFrom(table).execute()
  const by = { ...SYSTEM, command: 'rotate-key' }
  await audit({ now }, tx, by, { action: 'key_rotated', after: { ...change, under: to.id } })
  return change
}

/** Returns what was done when the database was put under this key; null if it was not. */
export async function findKeyChange(db: Db, to: Secrets): Promise<KeyChange | null> {
  const rows = await db
    .selectFrom('audit')
    .select('after')
    .where('action', '=', 'key_rotated')
    .orderBy('seq', 'desc')
    .execute()
  const found = rows.find(({ after }) => after?.under === to.id)?.after
  if (!found) return null
  const { reencrypted, sessions, links } = found
  return { reencrypted: Number(reencrypted), sessions: Number(sessions), links: Number(links) }
}

async function countOpen(db: Db | Tx, now: number): Promise<{ sessions: number; links: number }> {
  const count = async (table: 'sign_in_links' | 'account_links') => {
    const rows = db.selectFrom(table).select((eb) => eb.fn.countAll().as('count'))
    return Number((await rows.where('expires_at', '>', new Date(now)).executeTakeFirst())?.count ?? 0)
  }
  const open = await db
    .selectFrom('sessions')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return { sessions: Number(open?.count ?? 0), links: (await count('sign_in_links')) + (await count('account_links')) }
}
