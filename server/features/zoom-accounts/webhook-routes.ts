import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { ZoomInbox } from '../../zoom/webhook-inbox.ts'
import { readWebhook } from '../../zoom/webhook-schemas.ts'
import { signedByZoom, validationAnswer } from '../../zoom/webhook-signature.ts'
import { allow } from '../auth/guards.ts'
import { isOfUse, workOn } from './webhook-handlers.ts'

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

    const inbox = new ZoomInbox(deps, workOn)
    app.addHook('onReady', () => inbox.start())
    app.addHook('onClose', () => inbox.close())

    app.post('/zoom/webhooks', async (request, reply) => {
      const secret = deps.config.ZOOM_WEBHOOK_SECRET
      if (!secret) throw new AppError('not_found', 'Not found')
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const { 'x-zm-signature': signature, 'x-zm-request-timestamp': timestamp } = request.headers
      const refusal = () => {
        deps.log.warn({ timestamp, bytes: body.length }, 'A webhook was not signed by Zoom, or is too old')
        return new AppError('bad_signature', 'The signature does not fit.')
      }
      const signed = signedByZoom(secret, { signature, timestamp, body }, deps.now())
      if (!signed) throw refusal()
      const webhook = readWebhook(body.toString('utf8'))
      if (!webhook) throw new AppError('malformed', 'This is not an event.')
      const { event, payload } = webhook
      // Of what is not kept nobody can say whether it came before.
      if (signed === 'earlier' && !isOfUse(event)) throw refusal()
      if (event === 'endpoint.url_validation') {
        if (!payload.plainToken) throw new AppError('malformed', 'The plainToken is missing.')
        return validationAnswer(secret, payload.plainToken)
      }

      const isNew = isOfUse(event) && (await inbox.keep(body, webhook))
      if (signed === 'earlier' && !isNew) throw refusal()
      return reply.code(200).send({ success: true })
    })
  }
