import { readFile, stat } from 'node:fs/promises'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Deps } from '../../../deps.ts'
import { AppError, invalidField } from '../../../errors.ts'
import { TurnQueue } from '../../../lib/turn-queue.ts'
import { tooManyAtOnce } from '../../auth/anonymous-query-queue.ts'
import { allow, signedInHost } from '../../auth/guards.ts'
import * as api from './api.ts'
import { encodeLogo, LOGO_TYPES } from './image.ts'
import { logoPath } from './logo-files.ts'
import { uploadLogo } from './upload-logo.ts'

/** Bytes of logos in memory, of which phones load each once a year. */
const CACHE_BYTES = 16 * 1024 ** 2

export const logoUploadRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host')
    // One picture takes up to 25 MB and half a second of a core.
    const encodings = new TurnQueue(['logos'], {
      concurrency: 1,
      maxWaiting: 20,
      longestWaitMs: 6_000,
      full: tooManyAtOnce,
    })
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
        config: { rateLimit: { max: 12 } },
        validatorCompiler: () => (value) => ({ value }), // accepts what the hook above has read
      },
      async (request) => {
        const host = signedInHost(request)
        const { filename, bytes } = UploadedLogo.parse(request.body)
        const logo = await encodings.run('logos', [host.host_id], () => encodeLogo(bytes, filename))
        return { success: true as const, message: 'Logo uploaded', appInfo: await uploadLogo(deps, host, logo) }
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

/**
 * Serves logos to phones and consoles, always as a picture, and nothing else in the folder. Each is in memory once,
 * however many strangers leave it unread.
 */
export function serveLogos(app: FastifyInstance, deps: Deps): void {
  const logos = new LRUCache<string, Buffer>({
    maxSize: CACHE_BYTES,
    sizeCalculation: (logo) => logo.length,
    fetchMethod: (path) => readFile(path),
  })
  app.get<{ Params: { name: string } }>('/logos/:name', { exposeHeadRoute: false }, async (request, reply) => {
    const { name } = request.params
    const type = LOGO_TYPES[/^[0-9a-f]{32}\.([a-z]{3,4})$/.exec(name)?.[1] ?? '']
    const path = logoPath(deps, name)
    const isThere = type !== undefined && (await stat(path).catch(() => null)) // another server may have removed it
    const logo = isThere && (await logos.fetch(path).catch(() => null))
    if (!logo) throw new AppError('not_found', 'There is nothing here.')
    return reply
      .headers({
        'content-type': type,
        'content-disposition': 'inline',
        'content-security-policy': "default-src 'none'; sandbox",
        'cross-origin-resource-policy': 'cross-origin', // the phone app's page has another origin
        'x-content-type-options': 'nosniff',
        'cache-control': 'public, max-age=31536000, immutable',
      })
      .send(logo)
  })
}
