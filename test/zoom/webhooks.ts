import { expect } from 'vitest'
import { handleZoomEvents } from '../../server/features/zoom-accounts/jobs.ts'
import { eventually } from '../eventually.ts'
import type { TestHost } from '../factories/accounts.ts'
import type { ZoomServer } from './emulated-zoom.ts'
import { webhookHeaders } from './webhook-headers.ts'

export const WEBHOOK_SECRET = 'webhook-secret'

interface SentWebhook {
  at?: number
  secret?: string
  headers?: Record<string, string>
  ip?: string
}

/** Sends an event like Zoom. */
export function deliver(server: ZoomServer, event: string | object, sent: SentWebhook = {}) {
  const { at = server.deps.now(), secret = WEBHOOK_SECRET, headers = {}, ip } = sent
  const body = typeof event === 'string' ? event : JSON.stringify(event)
  return server.app.inject({
    method: 'POST',
    url: '/api/zoom/webhooks',
    headers: { host: 'localhost:3000', ...webhookHeaders(body, secret, at), ...headers },
    payload: body,
    ...(ip && { remoteAddress: ip }),
  })
}

const listening = new WeakMap<object, Promise<string>>()

/** Returns the server's webhook address; it starts listening on first use. */
export async function webhookUrl(server: ZoomServer): Promise<string> {
  const address = listening.get(server.app) ?? server.app.listen({ port: 0, host: '127.0.0.1' })
  listening.set(server.app, address)
  return `http://127.0.0.1:${new URL(await address).port}/api/zoom/webhooks`
}

/** Makes the emulator send its webhooks to the server. */
export async function receiveWebhooks(server: ZoomServer): Promise<void> {
  await server.control('/webhooks/endpoint', { url: await webhookUrl(server), secret: WEBHOOK_SECRET })
}

/** Waits until all sent webhooks have been received and processed. */
export async function webhooksProcessed(server: ZoomServer): Promise<void> {
  await server.control('/webhooks/settle', {})
  await eventually(async () => expect(await waiting(server)).toBe(0))
  await server.deps.jobs.idle(handleZoomEvents)
}

async function waiting({ deps }: ZoomServer): Promise<number> {
  const rows = await deps.db.selectFrom('zoom_events').select('event').where('processed_at', 'is', null).execute()
  return rows.length
}

/** Returns the ids that Zoom's events use for the host. */
export async function zoomIdsOf({ deps }: ZoomServer, { id }: TestHost) {
  const link = await deps.db
    .selectFrom('zoom_links')
    .select(['zoom_account_id', 'zoom_user_id'])
    .where('host_id', '=', id)
    .executeTakeFirstOrThrow()
  return { account_id: link.zoom_account_id, host_id: link.zoom_user_id }
}
