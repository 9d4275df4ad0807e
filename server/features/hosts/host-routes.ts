import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { HostAnswer, PROFILE_ACTIONS, type ProfileAction } from '../../../shared/hosts.ts'
import { readSubscription } from '../../../shared/subscription-dates.ts'
import { SubscriptionAnswer } from '../../../shared/subscriptions.ts'
import { byHost } from '../../db/audit-log.ts'
import type { Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import { allow, signedInHost } from '../auth/guards.ts'
import { SUBSCRIPTION_COLUMNS } from '../subscriptions/require-subscription.ts'
import { findHost } from './hosts.ts'
import { actOnProfile } from './profile-actions.ts'

const DONE: Record<ProfileAction, string> = {
  activate: 'The room is active',
  stop: 'The room is stopped. Phones cannot sign in until it is activated.',
  logout: 'Your phone is signed out',
  'change-phone': 'Device binding cleared. You can now login from a new phone.',
}

export const hostRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host')

    app.get('/host/profile', { schema: { response: { 200: HostAnswer } } }, async (request) => ({
      success: true as const,
      data: await findHost(deps, signedInHost(request).host_id),
    }))

    for (const action of PROFILE_ACTIONS) {
      app.post(`/host/profile/${action}`, { schema: { response: { 200: HostAnswer } } }, async (request) => {
        const host = signedInHost(request)
        const data = await actOnProfile(deps, byHost(host, request.ip), host.host_id, action)
        return { success: true as const, message: DONE[action], data }
      })
    }

    app.get(
      '/host/subscription',
      { schema: { response: { 200: SubscriptionAnswer } }, config: { background: true } },
      async (request) => {
        const dates = await deps.db
          .selectFrom('hosts')
          .select(SUBSCRIPTION_COLUMNS)
          .where('id', '=', signedInHost(request).host_id)
          .where('deleted_at', 'is', null)
          .executeTakeFirst()
        if (!dates) throw notFound('Host')
        return { success: true as const, data: readSubscription(dates, new Date(deps.now())) }
      },
    )
  }
