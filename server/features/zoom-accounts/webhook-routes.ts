import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { storeEvent } from '../../zoom/webhook-inbox.ts'
import { parseWebhook } from '../../zoom/webhook-schemas.ts'
import { signedByZoom, validationAnswer } from '../../zoom/webhook-signature.ts'
import { allow } from '../auth/guards.ts'
import { handleZoomEvents } from './jobs.ts'
import { isHandled } from './webhook-handlers.ts'

const BODY_LIMIT = 1024 * 1024

/**
 * Zoom waits 3 s for an answer and repeats nothing that was answered with 4xx: verify, store, answer, handle afterwards.
 * An event that cannot be stored is answered with 5xx, so that Zoom sends it again.
 */
export const webhookRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'public')
    app.removeAllContentTypeParsers()
    app.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: BODY_LIMIT },
      async (_request: FastifyRequest, body: Buffer) => body,
    )

    app.post('/zoom/webhooks', async (request, reply) => {
      const secret = deps.config.ZOOM_WEBHOOK_SECRET
      if (!secret) throw new AppError('not_found', 'Not found')
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const { 'x-zm-signature': signature, 'x-zm-request-timestamp': timestamp } = request.headers
      const refusal = () => {
        deps.log.warn({ timestamp, bytes: body.length }, 'zoom.webhook_refused')
        return new AppError('bad_signature', 'The signature does not fit.')
      }
      const signed = signedByZoom(secret, { signature, timestamp, body }, deps.now())
      if (!signed) throw refusal()
      const webhook = parseWebhook(body.toString('utf8'))
      if (!webhook) throw new AppError('malformed', 'This is not an event.')
      const { event, payload } = webhook
      // Without its row it cannot be told whether an event came before.
      if (signed === 'earlier' && !isHandled(event)) throw refusal()
      if (event === 'endpoint.url_validation') {
        if (!payload.plainToken) throw new AppError('malformed', 'The plainToken is missing.')
        return validationAnswer(secret, payload.plainToken)
      }

      const isNew = isHandled(event) && (await storeEvent(deps, body, webhook))
      if (isHandled(event)) deps.jobs.wake(handleZoomEvents)
      if (signed === 'earlier' && !isNew) throw refusal()
      return reply.code(200).send({ success: true })
    })
  }
