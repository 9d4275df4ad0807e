import type { z } from 'zod'
import type { Tx } from '../db/client.ts'
import type { Deps } from '../deps.ts'
import type { ZoomWebhook } from './webhook-schemas.ts'

/** What Zoom has told, and when, by its own clock. */
export interface Told {
  event: string
  at: Date
  account_id: string
  payload: ZoomWebhook['payload']
}

/** Whom an event concerned, and what is left to do once its effects are committed. */
export interface Effect {
  host_id: string | null
  afterwards?: () => Promise<void>
}

export type Work = (deps: Deps, tx: Tx, told: Told) => Promise<Effect>

export const NOBODY: Effect = { host_id: null }

/** An event that is not what it should be: trying again would not help. */
export class NotReadable extends Error {}

export function readTold<T>(schema: z.ZodType<T>, value: unknown): T {
  const read = schema.safeParse(value)
  if (read.success) return read.data
  const where = read.error.issues.map(({ path }) => path.join('.') || 'the whole').join(', ')
  throw new NotReadable(`Cannot be read at: ${where}`)
}

/**
 * The room of a Zoom user, known by Zoom's own ids: what else an event claims, such as an e-mail, moves nothing between
 * hosts. Its row is held until the effects are committed, so that two nodes cannot tell of one room at once.
 */
export function roomOf(tx: Tx, account_id: string, zoom_user_id: string) {
  return tx
    .selectFrom('zoom_links')
    .innerJoin('rooms', 'rooms.host_id', 'zoom_links.host_id')
    .select(['rooms.id', 'rooms.host_id', 'rooms.zoom_meeting_id'])
    .where('zoom_account_id', '=', account_id)
    .where('zoom_user_id', '=', zoom_user_id)
    .forNoKeyUpdate('rooms')
    .executeTakeFirst()
}

export type ToldRoom = NonNullable<Awaited<ReturnType<typeof roomOf>>>

export function timeOf(text: string | null | undefined): Date | null {
  const ms = Date.parse(text ?? '')
  return Number.isNaN(ms) ? null : new Date(ms)
}
