import type { FastifyPluginAsync } from 'fastify'
import { z } from 'zod'
import type { Deps } from '../../deps.ts'
import { allow } from '../../features/auth/guards.ts'
import { loadOnce } from '../../lib/load-once.ts'
import { withExample } from '../../lib/with-example.ts'
import { addDocsPage } from './docs-page.ts'
import { buildDocument } from './document.ts'

const Document = z.looseObject({ openapi: z.string() })

/** Serves the document, and the page that shows it. */
export const openapiRoutes =
  (deps: Deps): FastifyPluginAsync =>
  async (app) => {
    allow(app, deps, 'public')

    const document = loadOnce(async () => Buffer.from(JSON.stringify(await buildDocument(app, deps.config))))
    app.get(
      '/openapi.json',
      {
        schema: {
          tags: ['Operation'],
          operationId: 'getDocument',
          summary: 'Get this document',
          response: { 200: withExample(Document, { openapi: '3.1.0', info: { title: 'Parley' }, paths: {} }) },
        },
      },
      async (_request, reply) => {
        return reply.type('application/json; charset=utf-8').send(await document())
      },
    )

    await app.register(addDocsPage)
  }
