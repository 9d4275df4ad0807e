import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { AppInfoAnswer } from '../../../../shared/app-info.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { allow, signedInHost } from '../../auth/guards.ts'
import { LOGO_TYPES } from './image.ts'
import { logoPath } from './logo-files.ts'
import { uploadLogo } from './upload-logo.ts'

export const logoUploadRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host')
    // The body is neither read nor waited for.
    app.addHook('onRequest', (_request, reply, done) => {
      if (deps.config.FEATURES.includes('logo-upload')) return done()
      reply.header('connection', 'close')
      done(new AppError('feature_off', 'Logo upload is coming soon.'))
    })
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('multipart/form-data', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    app.addContentTypeParser('*', (_request, _payload, done) =>
      done(new AppError('not_multipart', 'Please send the logo as multipart/form-data, in the field "logo".')),
    )

    app.post(
      '/host/upload-logo',
      { schema: { response: { 200: AppInfoAnswer } }, config: { rateLimit: { max: 30 } } },
      async (request) => {
        const host = signedInHost(request)
        const sent = { type: request.headers['content-type'] ?? '', body: request.body }
        return {
          success: true as const,
          message: 'Logo uploaded',
          appInfo: await uploadLogo(deps, host, sent, request.ip),
        }
      },
    )
  }

/** The logos themselves, for phones and consoles: a picture whatever is in it, and nothing else in the folder. */
export function serveLogos(app: FastifyInstance, deps: Deps): void {
  app.get<{ Params: { name: string } }>('/logos/:name', { exposeHeadRoute: false }, async (request, reply) => {
    const { name } = request.params
    const type = LOGO_TYPES[/^[0-9a-f]{32}\.([a-z]{3,4})$/.exec(name)?.[1] ?? '']
    const path = logoPath(deps, name)
    const found = type === undefined ? null : await stat(path).catch(() => null)
    if (!type || !found) throw new AppError('not_found', 'There is nothing here.')
    return reply
      .headers({
        'content-type': type,
        'content-length': found.size,
        'content-disposition': 'inline',
        'content-security-policy': "default-src 'none'; sandbox",
        'cross-origin-resource-policy': 'cross-origin', // a phone app's page is of another origin
        'x-content-type-options': 'nosniff',
        'cache-control': 'public, max-age=31536000, immutable',
      })
      .send(createReadStream(path))
  })
}
