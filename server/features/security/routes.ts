import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Deps } from '../../deps.ts'
import { allow, signedInMaster } from '../auth/guards.ts'
import { readRequirement, requireFactors } from '../second-factor/requirement.ts'
import * as api from './api.ts'

export const securityRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'master')

    app.get('/admin/security', { schema: api.getSecurity }, async () => ({
      success: true as const,
      data: { require_second_factor: await readRequirement(deps.db) },
    }))

    app.put('/admin/security', { schema: api.setSecurity, config: { needsConfirmation: true } }, async (request) => {
      const { require_second_factor } = request.body
      await requireFactors(deps, signedInMaster(request), require_second_factor)
      return { success: true as const, data: { require_second_factor } }
    })
  }
