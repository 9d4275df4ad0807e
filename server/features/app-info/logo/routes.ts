import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Deps } from '../../../deps.ts'
import { AppError, invalidField } from '../../../errors.ts'
import { allow, signedInHost } from '../../auth/guards.ts'
import * as api from './api.ts'
import { LOGO_TYPES } from './image.ts'
import { logoPath } from './logo-files.ts'
import { uploadLogo } from './upload-logo.ts'

export const logoUploadRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host')
    // Runs before the body is read.
    app.addHook('onRequest', async (request, reply) => {
      const isOn = deps.config.FEATURES.includes('logo-upload')
      if (isOn && Number(request.headers['content-length'] ?? 0) <= request.routeOptions.bodyLimit) return
      reply.header('connection', 'close')
      throw isOn ? tooLarge() : new AppError('feature_off', 'Logo upload is coming soon.')
    })
    app.removeAllContentTypeParsers()
    await app.register(multipart, { limits: { files: 4, fields: 16, fieldSize: 1024 } })
    app.addContentTypeParser('*', (_request, _payload, done) =>
      done(new AppError('not_multipart', 'Please send the logo as multipart/form-data, in the field "logo".')),
    )
    app.addHook('preValidation', async (request) => {
      request.body = await readLogo(request) // as a body, so that a repeated idempotency key is compared with it
    })

    app.post(
      '/host/upload-logo',
      {
        schema: api.uploadLogo,
        config: { rateLimit: { max: 30 } },
        validatorCompiler: () => (value) => ({ value }), // accepts what the hook above has read
      },
      async (request) => {
        const host = signedInHost(request)
        return {
          success: true as const,
          message: 'Logo uploaded',
          appInfo: await uploadLogo(deps, host, UploadedLogo.parse(request.body)),
        }
      },
    )
  }

const UploadedLogo = z.object({ filename: z.string(), bytes: z.instanceof(Buffer) })

async function readLogo(request: FastifyRequest): Promise<z.infer<typeof UploadedLogo>> {
  try {
    for await (const part of request.parts()) {
      if (part.type !== 'file') continue
      const bytes = await part.toBuffer() // the next part comes only after this one is read
      if (part.fieldname === 'logo' && bytes.length > 0) return { filename: part.filename, bytes }
    }
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'FST_REQ_FILE_TOO_LARGE') throw tooLarge()
    throw new AppError('malformed', 'The form cannot be read.', { cause })
  }
  throw invalidField('logo', 'Please select a logo file')
}

const tooLarge = () => new AppError('too_large', 'This is too large.')

/** Serves logos to phones and consoles, always as a picture, and nothing else in the folder. */
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
        'cross-origin-resource-policy': 'cross-origin', // the phone app's page has another origin
        'x-content-type-options': 'nosniff',
        'cache-control': 'public, max-age=31536000, immutable',
      })
      .send(createReadStream(path))
  })
}
