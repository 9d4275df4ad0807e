import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { PROFILE_ACTIONS } from '../../../shared/hosts.ts'
import { readSubscription } from '../../../shared/subscription-dates.ts'
import type { Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import { allow, signedInHost } from '../auth/guards.ts'
import { SUBSCRIPTION_COLUMNS } from '../subscriptions/require-subscription.ts'
import * as api from './host-api.ts'
import { findHost } from './hosts.ts'
import { actOnProfile } from './profile-actions.ts'

export const hostRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host')

    app.get('/host/profile', { schema: api.getProfile }, async (request) => ({
      success: true as const,
      data: await findHost(deps, signedInHost(request).host_id),
    }))

    for (const action of PROFILE_ACTIONS) {
      app.post(`/host/profile/${action}`, { schema: api.actOnProfile(action) }, async (request) => {
        const by = signedInHost(request)
        const data = await actOnProfile(deps, by, by.host_id, action)
        return { success: true as const, message: api.PROFILE_DONE[action], data }
      })
    }
  }

export const hostSubscriptionRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host', 'manager')

    app.get('/host/subscription', { schema: api.getOwnSubscription, config: { background: true } }, async (request) => {
      const dates = await deps.db
        .selectFrom('hosts')
        .select(SUBSCRIPTION_COLUMNS)
        .where('id', '=', signedInHost(request).host_id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      if (!dates) throw notFound('Host')
      return { success: true as const, data: readSubscription(dates, new Date(deps.now())) }
    })
  }
