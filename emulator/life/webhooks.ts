import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { randomId } from '../state/identifiers.ts'
import type { WebhookDelivery } from '../state/memory.ts'
import type { Account } from '../state/state.ts'
import { MINUTE_MS } from '../state/times.ts'
import type { Zoom } from '../state/zoom.ts'

/** The delays between attempts; after the last, Zoom drops the event. */
const retryAfter = [5 * MINUTE_MS, 20 * MINUTE_MS, 60 * MINUTE_MS]
const PATIENCE_MS = 3000
const KEPT_DELIVERIES = 500

type More = { download_token?: string }

/** Sends an event, but only for users who have installed the app. */
export function sendWebhook(zoom: Zoom, account: Account, event: string, payload: object, more: More = {}) {
  if (!account.installed) return
  const event_ts = zoom.now()
  dispatch(zoom, event, { payload: { account_id: account.account_id, ...payload }, event_ts, event, ...more })
}

/** This event carries its time in the payload, and is sent after the app was removed. */
export function sendDeauthorized(zoom: Zoom, account: Account, retention?: 'true' | 'false') {
  if (!zoom.options.published) return
  const client_id = zoom.settings.clientId
  const event_ts = zoom.now()
  const deauthorization_time = new Date(event_ts).toISOString()
  const signature = hmac(client_id, `${account.id}${event_ts}`)
  const { account_id, id: user_id } = account
  const payload = {
    ...(retention && { user_data_retention: retention }), // only in the event's older form
    ...{ account_id, user_id, client_id, signature, deauthorization_time, event_ts },
  }
  dispatch(zoom, 'app_deauthorized', { event: 'app_deauthorized', payload })
}

/** Sends any body that a test needs: an unknown event, an old format, a duplicate. */
export function dispatch(zoom: Zoom, event: string, message: object) {
  if (!zoom.endpoint.url || !zoom.endpoint.secret) return
  const body = styled(zoom, message)
  for (let copy = 0; copy < zoom.options.webhook_copies; copy += 1) {
    const delivery: WebhookDelivery = { event, body, attempts: [], state: 'pending' }
    zoom.memory.deliveries.push(delivery)
    if (zoom.options.webhook_hold) zoom.memory.held.push(delivery)
    else track(zoom, delivery)
  }
  zoom.memory.deliveries.splice(0, zoom.memory.deliveries.length - KEPT_DELIVERIES)
}

export type DeliveryOrder = 'sent' | 'reversed' | 'shuffled'

/** Sends held events in the given order, since Zoom guarantees none. */
export async function releaseWebhooks(zoom: Zoom, order: DeliveryOrder) {
  const held = zoom.memory.held.splice(0)
  const ordered = order === 'reversed' ? held.toReversed() : order === 'shuffled' ? shuffled(held) : held
  for (const delivery of ordered) await attempt(zoom, delivery)
}

function shuffled<T>(items: T[]) {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item)
}

/** Validates the address, as Zoom does on saving it. */
export async function validateEndpoint(zoom: Zoom) {
  const { url, secret } = zoom.endpoint
  if (!url || !secret) return { validated: false, detail: 'No address or no secret is set.' }
  const plainToken = randomId()
  const event = 'endpoint.url_validation'
  const body = JSON.stringify({ payload: { plainToken }, event_ts: zoom.now(), event })
  try {
    const answer = await post(zoom, url, secret, body)
    const text = await answer.text()
    if (answer.status !== 200) return { validated: false, detail: `Answered ${answer.status}.` }
    const reply = z.object({ plainToken: z.string(), encryptedToken: z.string() }).parse(JSON.parse(text))
    const good = reply.plainToken === plainToken && reply.encryptedToken === hmac(secret, plainToken)
    return { validated: good, detail: good ? 'Validated.' : 'The tokens do not match.' }
  } catch (error) {
    return { validated: false, detail: failure(error) }
  }
}

/** Resolves once all webhooks sent so far have been answered. */
export async function settleWebhooks(zoom: Zoom) {
  while (zoom.memory.inFlight.size > 0) await Promise.all(zoom.memory.inFlight)
}

function track(zoom: Zoom, delivery: WebhookDelivery) {
  const { inFlight } = zoom.memory
  const sending = attempt(zoom, delivery).finally(() => inFlight.delete(sending))
  inFlight.add(sending)
}

async function attempt(zoom: Zoom, delivery: WebhookDelivery) {
  const { url, secret } = zoom.endpoint
  if (!url || !secret) return
  const { stopped } = zoom
  const status = await post(zoom, url, secret, delivery.body).then(async (answer) => {
    await answer.body?.cancel()
    return answer.status
  }, failure)
  if (stopped.aborted) return

  delivery.attempts.push({ at: zoom.now(), outcome: String(status) })
  if (status === 200 || status === 204) {
    delivery.state = 'delivered'
    return
  }
  const wait = retryAfter[delivery.attempts.length - 1]
  const worthAnother = typeof status === 'string' || status >= 500
  if (!worthAnother || wait === undefined) {
    delivery.state = worthAnother ? 'lost' : 'refused'
    return
  }
  zoom.later(wait * zoom.options.webhook_time_scale, () => track(zoom, delivery))
}

function post(zoom: Zoom, url: string, secret: string, body: string) {
  const old = zoom.options.webhook_signature === 'old' ? 10 * MINUTE_MS : 0
  const timestamp = String(Math.floor((zoom.now() - old) / 1000))
  const key = zoom.options.webhook_signature === 'wrong' ? `${secret}?` : secret
  return fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Zoom Marketplace/1.0a',
      'x-zm-request-timestamp': timestamp,
      'x-zm-signature': `v0=${hmac(key, `v0:${timestamp}:${body}`)}`,
      'x-zm-trackingid': `WEB_${randomId()}`,
    },
    body,
    signal: AbortSignal.any([AbortSignal.timeout(PATIENCE_MS), zoom.stopped]),
  })
}

/** Renders the message as different bytes: only receivers that verify the raw body accept all three. */
function styled(zoom: Zoom, message: object) {
  switch (zoom.options.webhook_style) {
    case 'compact':
      return JSON.stringify(message)
    case 'pretty':
      return JSON.stringify(message, null, 2)
    case 'escaped':
      return JSON.stringify(message).replaceAll('/', '\\/')
  }
}

const hmac = (key: string, text: string) => createHmac('sha256', key).update(text).digest('hex')

function failure(error: unknown) {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}
