import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { HOST_ROLES } from '../../../shared/auth.ts'
import type { Deps } from '../../deps.ts'
import { allow, signedInHost } from '../auth/guards.ts'
import * as api from './api.ts'
import { findPlannedCheck } from './planned-check.ts'

export const goLiveRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, ...HOST_ROLES)

    app.get(
      '/host/planned-meetings/check',
      { schema: api.getPlannedCheck, config: { background: true } },
      async (request) => {
        const { host_id, acts_as } = signedInHost(request)
        const isModerator = acts_as === 'moderator'
        return { success: true as const, data: { check: await findPlannedCheck(deps, host_id, { isModerator }) } }
      },
    )
  }
