import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { allow } from '../../auth/guards.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { ZoomInbox } from './inbox.ts'
import { isOfUse } from './webhook-events.ts'
import { readWebhook } from './webhook-schemas.ts'
import { isSignedByZoom, validationAnswer } from './webhook-signature.ts'

const LARGEST = 1024 * 1024

/**
 * Zoom waits 3 s for an answer, and never repeats what was answered with 4xx: verify, keep, answer, work afterwards. What
 * cannot be kept is answered with 5xx, so that Zoom sends it again.
 */
export const webhookRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'public')
    app.removeAllContentTypeParsers()
    app.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: LARGEST },
      async (_request: FastifyRequest, body: Buffer) => body,
    )

    const inbox = new ZoomInbox(deps)
    app.addHook('onReady', () => inbox.start())
    app.addHook('onClose', () => inbox.close())

    app.post('/zoom/webhooks', async (request, reply) => {
      const secret = deps.config.ZOOM_WEBHOOK_SECRET
      if (!secret) throw new AppError('not_found', 'Not found')
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const { 'x-zm-signature': signature, 'x-zm-request-timestamp': timestamp } = request.headers
      if (!isSignedByZoom(secret, { signature, timestamp, body }, deps.now())) {
        deps.log.warn({ timestamp, bytes: body.length }, 'A webhook was not signed by Zoom, or is too old')
        throw new AppError('bad_signature', 'The signature does not fit.')
      }
      const webhook = readWebhook(body.toString('utf8'))
      if (!webhook) throw new AppError('malformed', 'This is not an event.')
      const { event, payload } = webhook
      if (event === 'endpoint.url_validation') {
        if (!payload.plainToken) throw new AppError('malformed', 'The plainToken is missing.')
        return validationAnswer(secret, payload.plainToken)
      }

      if (isOfUse(event)) await inbox.keep(body, webhook)
      return reply.code(200).send({ success: true })
    })
  }
