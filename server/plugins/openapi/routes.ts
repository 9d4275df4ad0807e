import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../../deps.ts'
import { allow } from '../../features/auth/guards.ts'
import { addDocsPage } from './docs-page.ts'
import { documentOf } from './enrich.ts'

/** The document that other programs read, and the page that people read. */
export const openapiRoutes =
  (deps: Deps): FastifyPluginAsync =>
  async (app) => {
    allow(app, deps, 'public')

    let document: Buffer | undefined
    app.get('/openapi.json', async (_request, reply) => {
      document ??= Buffer.from(JSON.stringify(documentOf(app)))
      return reply.type('application/json; charset=utf-8').send(document)
    })

    await app.register(addDocsPage)
  }
