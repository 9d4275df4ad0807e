import { createHash } from 'node:crypto'
import { type Selectable, sql, type Updateable } from 'kysely'
import type { Db, Tx } from '../db/client.ts'
import type { Tables } from '../db/tables.ts'
import type { Deps } from '../deps.ts'
import { backoff } from '../lib/backoff.ts'
import { randomToken } from '../lib/secrets.ts'
import { Owned, type ZoomWebhook } from './webhook-schemas.ts'

export type KeptEvent = Selectable<Tables['zoom_events']>

/** Longer than working on one event can take, so that a lease runs out only when its process has died. */
const LEASE_SECONDS = 60
const WAIT_MS = { first: 5_000, longest: 3_600_000 }
/** Over about four hours. */
const ATTEMPTS = 12

const bodyAad = (bodyHash: string) => `zoom_events.body:${bodyHash}`

/**
 * Writes an event down as it came, once however often it comes, and returns whether this was the first time. Sealed,
 * since it names people and their addresses.
 */
export async function keepEvent(deps: Deps, body: Buffer, webhook: ZoomWebhook): Promise<boolean> {
  const body_hash = createHash('sha256').update(body).digest('base64url')
  const now = new Date(deps.now())
  const { account_id, user_id, object } = webhook.payload
  const owner = Owned.safeParse(object)
  const kept = await deps.db
    .insertInto('zoom_events')
    .values({
      body_hash,
      event: webhook.event,
      told_at: new Date(webhook.event_ts ?? webhook.payload.event_ts ?? deps.now()),
      zoom_account_id: account_id ?? null,
      zoom_user_id: user_id ?? (owner.success ? owner.data.host_id : null),
      body_ciphertext: deps.secrets.encrypt(body.toString('utf8'), bodyAad(body_hash)),
      received_at: now,
      try_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('body_hash')
    .executeTakeFirst()
  return kept !== undefined
}

export function bodyOf({ secrets }: Deps, { body_hash, body_ciphertext }: KeptEvent): string {
  return secrets.decrypt(body_ciphertext ?? '', bodyAad(body_hash))
}

/** Takes the oldest event that waits, so that nobody else works on it meanwhile; undefined when none does. */
export function claimEvent({ db, now }: Deps): Promise<KeptEvent | undefined> {
  return db
    .updateTable('zoom_events')
    .set((eb) => ({
      lease: randomToken(12),
      lease_until: sql`now() + make_interval(secs => ${sql.lit(LEASE_SECONDS)})`,
      attempts: eb('attempts', '+', 1),
    }))
    .where('body_hash', '=', (eb) =>
      eb
        .selectFrom('zoom_events')
        .select('body_hash')
        .where('done_at', 'is', null)
        .where('try_at', '<=', new Date(now()))
        .where((or) => or.or([or('lease_until', 'is', null), or('lease_until', '<', sql<Date>`now()`)]))
        .orderBy('told_at')
        .orderBy('received_at')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .executeTakeFirst()
}

/** Marks an event as worked on, in the transaction of its effects. What concerned nobody here is not kept. */
export async function finishEvent(deps: Deps, tx: Tx, kept: KeptEvent, host_id: string | null): Promise<void> {
  const isOurs = await release(tx, kept, {
    host_id,
    done_at: new Date(deps.now()),
    ...(!host_id && { body_ciphertext: null }),
  })
  if (!isOurs) throw new Error('The lease of an event ran out while it was worked on')
}

/** Puts an event off to be tried again, later each time; at the end, and where it cannot be read, it is given up. */
export async function putOff(deps: Deps, kept: KeptEvent, failure: string, isHopeless: boolean): Promise<void> {
  const now = deps.now()
  const isOver = isHopeless || kept.attempts >= ATTEMPTS
  await release(deps.db, kept, {
    failure,
    ...(isOver ? { done_at: new Date(now) } : { try_at: new Date(now + backoff(kept.attempts, WAIT_MS)) }),
  })
}

async function release(db: Db | Tx, kept: KeptEvent, set: Updateable<Tables['zoom_events']>): Promise<boolean> {
  const row = await db
    .updateTable('zoom_events')
    .set({ ...set, lease: null, lease_until: null })
    .where('body_hash', '=', kept.body_hash)
    .where('lease', '=', kept.lease)
    .returning('body_hash')
    .executeTakeFirst()
  return row !== undefined
}

/** The embedded database has one server at a time: a lease found at its start is a dead one's. */
export async function releaseOfTheDead({ db, config }: Deps): Promise<void> {
  if (config.DATABASE_URL) return
  await db.updateTable('zoom_events').set({ lease: null, lease_until: null }).where('lease', 'is not', null).execute()
}
