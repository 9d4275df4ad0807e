import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { HostAnswer } from '../../shared/hosts.ts'
import { allow, signedInHost } from '../auth/guards.ts'
import type { Deps } from '../deps.ts'
import { findHost } from './hosts.ts'

export const hostProfileRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host')

    app.get('/host/profile', { schema: { response: { 200: HostAnswer } } }, async (request) => ({
      success: true as const,
      data: await findHost(deps, signedInHost(request).host_id),
    }))
  }
