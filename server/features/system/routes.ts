import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Deps } from '../../deps.ts'
import { allow } from '../auth/guards.ts'
import * as api from './api.ts'
import { reportSystem } from './system-report.ts'

export const systemRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'master')

    app.get('/admin/system', { schema: api.getSystem, config: { rateLimit: { max: 60 } } }, async () => ({
      success: true as const,
      data: await reportSystem(deps, await deps.systemChecks.recent()),
    }))

    app.post(
      '/admin/system/check',
      { schema: api.checkSystem, config: { keepsNoAnswer: true, rateLimit: { max: 6 } } },
      async () => ({ success: true as const, data: await reportSystem(deps, await deps.systemChecks.run()) }),
    )
  }
