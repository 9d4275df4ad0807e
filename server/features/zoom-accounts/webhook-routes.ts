import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { MINUTE_MS } from '../../../shared/dates.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { addressPath } from '../../lib/address-group.ts'
import { FairQueue } from '../../lib/fair-queue.ts'
import { onBodyEnd } from '../../lib/on-body-end.ts'
import { createThrottledReporter } from '../../lib/throttled-reporter.ts'
import { storeEvent } from '../../zoom/webhook-inbox.ts'
import { parseWebhook } from '../../zoom/webhook-schemas.ts'
import { hasPlausibleSignature, validationAnswer, verifySignature } from '../../zoom/webhook-signature.ts'
import { allow } from '../auth/guards.ts'
import * as api from './api.ts'
import { handleZoomEvents } from './jobs.ts'
import { isHandled } from './webhook-handlers.ts'

const BODY_LIMIT = 1024 * 1024
/** The size of nearly all events. */
const SMALL = 16 * 1024
/**
 * Larger bodies that are read at a time: nobody knows yet whether Zoom sends them. Networks share these places, and the
 * oldest body gives way to a network without any: Zoom's arrive at once, and those that only hold a place do not.
 */
const LARGE_AT_ONCE = 20
const LARGE_MS = 10_000

/**
 * Zoom waits 3 s for an answer and never resends after a 4xx: verify, store, answer, and handle afterwards. An event
 * that cannot be stored is answered with 5xx, so that Zoom sends it again.
 */
export const webhookRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'public')
    // Anybody can cause refusals, so they must not fill the log.
    const logRefusal = createThrottledReporter(
      (refused: { timestamp: unknown; bytes: number }, times) =>
        deps.log.warn({ ...refused, times }, 'zoom.webhook_refused'),
      MINUTE_MS,
    )
    /** Refused events are counted together: nobody knows who sent them. */
    const refuse = (refused: { timestamp: unknown; bytes: number }) => {
      deps.metrics.countWebhook('other', 'refused')
      logRefusal(refused)
      return new AppError('bad_signature', 'The signature does not match.')
    }
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: FastifyRequest, body: Buffer) => body)

    const large = new FairQueue<IncomingMessage>()
    app.addHook('onRequest', async (request, reply) => {
      const { 'x-zm-signature': signature, 'x-zm-request-timestamp': timestamp, ...headers } = request.headers
      const bytes = Number(headers['content-length'] ?? BODY_LIMIT)
      if (!deps.config.ZOOM_WEBHOOK_SECRET) throw new AppError('not_found', 'Not found')
      if (bytes > BODY_LIMIT) {
        reply.header('connection', 'close')
        throw new AppError('too_large', 'This is too large.')
      }
      if (!hasPlausibleSignature({ signature, timestamp }, deps.now())) {
        reply.header('connection', 'close')
        throw refuse({ timestamp, bytes })
      }
      if (bytes <= SMALL) return
      const path = addressPath(request.ip)
      if (large.size >= LARGE_AT_ONCE) {
        const [network = ''] = path
        const replaced = large.makeRoomFor(path) ?? (large.has(network) ? undefined : large.takeNext())
        replaced?.destroy()
      }
      if (large.size >= LARGE_AT_ONCE) {
        reply.header('connection', 'close')
        throw new AppError('busy', 'The server is reading too many events. Please send it again.', {
          retryAfterSeconds: 2,
        })
      }
      large.add(path, request.raw)
      const late = setTimeout(() => request.raw.destroy(), LARGE_MS)
      onBodyEnd(request, reply, () => {
        clearTimeout(late)
        large.remove(path, request.raw)
      })
    })

    app.post(
      '/zoom/webhooks',
      {
        bodyLimit: BODY_LIMIT,
        schema: api.receiveZoomEvent,
        validatorCompiler: () => (value) => ({ value }), // the signature covers the raw bytes, parsed later
      },
      async (request, reply) => {
        const secret = deps.config.ZOOM_WEBHOOK_SECRET
        if (!secret) throw new AppError('not_found', 'Not found')
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        const { 'x-zm-signature': signature, 'x-zm-request-timestamp': timestamp } = request.headers
        const refusal = () => refuse({ timestamp, bytes: body.length })
        const signed = verifySignature(secret, { signature, timestamp, body }, deps.now())
        if (!signed) throw refusal()
        const webhook = parseWebhook(body.toString('utf8'))
        if (!webhook) throw new AppError('malformed', 'The body is not a webhook event.')
        const { event, payload } = webhook
        // Only a stored row shows that an event came before, and unhandled events have none.
        if (signed === 'earlier' && !isHandled(event)) throw refusal()
        if (event === 'endpoint.url_validation') {
          if (!payload.plainToken) throw new AppError('malformed', 'The plainToken is missing.')
          return validationAnswer(secret, payload.plainToken)
        }

        if (!isHandled(event)) {
          deps.metrics.countWebhook('other', 'ignored')
          return reply.code(200).send({ success: true })
        }
        const isNew = await storeEvent(deps, body, webhook)
        deps.jobs.wake(handleZoomEvents)
        if (signed === 'earlier' && !isNew) throw refusal()
        deps.metrics.countWebhook(event, isNew ? 'accepted' : 'repeated')
        return reply.code(200).send({ success: true })
      },
    )
  }
