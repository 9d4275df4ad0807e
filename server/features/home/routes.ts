import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Deps } from '../../deps.ts'
import { allow } from '../auth/guards.ts'
import * as api from './api.ts'
import { readHome } from './home.ts'

export const homeRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'master')

    app.get('/admin/home', { schema: api.getHome, config: { rateLimit: { max: 60 } } }, async () => ({
      success: true as const,
      data: await readHome(deps),
    }))
  }
