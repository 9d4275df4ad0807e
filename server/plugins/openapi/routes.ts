import type { FastifyPluginAsync } from 'fastify'
import { z } from 'zod'
import type { Deps } from '../../deps.ts'
import { allow } from '../../features/auth/guards.ts'
import { withExample } from '../../lib/with-example.ts'
import { addDocsPage } from './docs-page.ts'
import { buildDocument } from './document.ts'

const Document = z.looseObject({ openapi: z.string() })

/** Serves the document, and the page that shows it. */
export const openapiRoutes =
  (deps: Deps): FastifyPluginAsync =>
  async (app) => {
    allow(app, deps, 'public')

    let document: Buffer | undefined
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
        document ??= Buffer.from(JSON.stringify(buildDocument(app)))
        return reply.type('application/json; charset=utf-8').send(document)
      },
    )

    await app.register(addDocsPage)
  }
