import { createHash } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { backoff } from '../../shared/backoff.ts'
import { HOUR_MS } from '../../shared/dates.ts'
import { Leases } from '../db/leases.ts'
import type { Tables } from '../db/tables.ts'
import type { Deps } from '../deps.ts'
import { InvalidPayload, type WebhookHandler } from './webhook-event.ts'
import { HostObject, parseWebhook, type ZoomWebhook } from './webhook-schemas.ts'

// Zoom's events are stored before they are answered, and handled afterwards, one at a time. A failed handler is
// retried; an event that arrived just before a crash is handled after the next start.

type StoredEvent = Selectable<Tables['zoom_events']>

const RETRY_MS = { first: 5_000, longest: HOUR_MS }
/** The attempts span about four hours. */
const ATTEMPTS = 12

export const eventLeases = new Leases({
  table: 'zoom_events',
  key: 'body_hash',
  lease: 'lease',
  until: 'lease_until',
  seconds: 60,
})

export const bodyAad = (bodyHash: string) => `zoom_events.body:${bodyHash}`

/** Returns true if the event is new. Encrypts it, because it contains people's names and addresses. */
export async function storeEvent(deps: Deps, body: Buffer, webhook: ZoomWebhook): Promise<boolean> {
  const body_hash = createHash('sha256').update(body).digest('base64url')
  const now = new Date(deps.now())
  const { account_id, user_id, object } = webhook.payload
  const owner = HostObject.safeParse(object)
  const stored = await deps.db
    .insertInto('zoom_events')
    .values({
      body_hash,
      event: webhook.event,
      reported_at: new Date(webhook.event_ts ?? webhook.payload.event_ts ?? deps.now()),
      zoom_account_id: account_id ?? null,
      zoom_user_id: user_id ?? (owner.success ? owner.data.host_id : null),
      body_ciphertext: deps.secrets.encrypt(body.toString('utf8'), bodyAad(body_hash)),
      received_at: now,
      next_attempt_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('body_hash')
    .executeTakeFirst()
  return stored !== undefined
}

/** Handles the oldest event that is due. Returns false if none is. */
export async function handleNextEvent(deps: Deps, handle: WebhookHandler): Promise<boolean> {
  const stored = await claimEvent(deps)
  if (!stored) return false
  try {
    const afterCommit = await handleEvent(deps, stored, handle)
    await afterCommit?.()
    deps.metrics.countWebhook(stored.event, 'handled')
  } catch (err) {
    const { event, attempts } = stored
    deps.log.error({ err, event, attempts }, 'zoom.event_failed')
    deps.metrics.countWebhook(event, 'failed')
    await reschedule(deps, stored, err)
  }
  return true
}

export function claimEvent({ db, now }: Deps): Promise<StoredEvent | undefined> {
  const due = sql`
    select body_hash from zoom_events
    where processed_at is null and next_attempt_at <= ${new Date(now())} and ${eventLeases.isFree}
    order by reported_at, received_at limit 1`
  return eventLeases.take(db, due, { attempts: sql<number>`attempts + 1` })
}

/** Commits the effects together with `processed_at`. */
function handleEvent(deps: Deps, stored: StoredEvent, handle: WebhookHandler) {
  const { body_hash, body_ciphertext, event, reported_at, zoom_account_id } = stored
  const webhook = parseWebhook(deps.secrets.decrypt(body_ciphertext ?? '', bodyAad(body_hash)))
  if (!webhook) throw new InvalidPayload('This is not an event')
  return deps.db.transaction().execute(async (tx) => {
    const { payload } = webhook
    const { host_id, afterCommit } = await handle(deps, tx, {
      event,
      at: reported_at,
      account_id: zoom_account_id ?? '',
      payload,
    })
    const done = { host_id, processed_at: new Date(deps.now()), ...(!host_id && { body_ciphertext: null }) }
    if (!(await eventLeases.release(tx, stored, done))) throw new Error('The lease of an event ran out')
    return afterCommit
  })
}

/** Gives up after the last attempt, or if the event is unreadable. */
async function reschedule(deps: Deps, stored: StoredEvent, error: unknown): Promise<void> {
  const { attempts } = stored
  const isFinal = error instanceof InvalidPayload || attempts >= ATTEMPTS
  await eventLeases.release(deps.db, stored, {
    failure: String(error).slice(0, 500),
    ...(isFinal
      ? { processed_at: new Date(deps.now()) }
      : { next_attempt_at: new Date(deps.now() + backoff(attempts, RETRY_MS)) }),
  })
}
