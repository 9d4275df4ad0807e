import type { z } from 'zod'
import type { Tx } from '../db/client.ts'
import type { Deps } from '../deps.ts'
import type { ZoomWebhook } from './webhook-schemas.ts'

export interface WebhookEvent {
  event: string
  at: Date // according to Zoom's clock
  account_id: string
  payload: ZoomWebhook['payload']
}

export interface HandlerResult {
  host_id: string | null
  afterCommit?: () => Promise<void>
}

export type WebhookHandler = (deps: Deps, tx: Tx, event: WebhookEvent) => Promise<HandlerResult>

/** The result for an event that concerns no host of ours. */
export const IGNORED: HandlerResult = { host_id: null }

/** The event is malformed: a retry would not help. */
export class InvalidPayload extends Error {}

export function parsePayload<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const paths = parsed.error.issues.map(({ path }) => path.join('.') || 'the whole').join(', ')
  throw new InvalidPayload(`Cannot be read at: ${paths}`)
}

/**
 * Finds the room of a Zoom user by Zoom's own ids only: other claims of an event, such as an e-mail, move nothing
 * between hosts. The row stays locked until the effects are committed, so that two nodes cannot change one room at
 * once.
 */
export function lockRoomOfZoomUser(tx: Tx, account_id: string, zoom_user_id: string) {
  return tx
    .selectFrom('zoom_links')
    .innerJoin('rooms', 'rooms.host_id', 'zoom_links.host_id')
    .select(['rooms.id', 'rooms.host_id', 'rooms.zoom_meeting_id'])
    .where('zoom_account_id', '=', account_id)
    .where('zoom_user_id', '=', zoom_user_id)
    .forNoKeyUpdate('rooms')
    .executeTakeFirst()
}

export type LockedRoom = NonNullable<Awaited<ReturnType<typeof lockRoomOfZoomUser>>>
