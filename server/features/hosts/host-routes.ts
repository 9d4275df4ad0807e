import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { host, subscription } from '../../../shared/examples.ts'
import { type Host, HostAnswer, PROFILE_ACTIONS, type ProfileAction } from '../../../shared/hosts.ts'
import { readSubscription } from '../../../shared/subscription-dates.ts'
import { SubscriptionAnswer } from '../../../shared/subscriptions.ts'
import { byHost } from '../../db/audit-log.ts'
import type { Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import { withExample } from '../../lib/with-example.ts'
import { allow, signedInHost } from '../auth/guards.ts'
import { SUBSCRIPTION_COLUMNS } from '../subscriptions/require-subscription.ts'
import { findHost } from './hosts.ts'
import { actOnProfile } from './profile-actions.ts'

const tags = ['Profile']

const ACTIONS: Record<
  ProfileAction,
  { operationId: string; summary: string; description?: string; message: string; change?: Partial<Host> }
> = {
  activate: {
    operationId: 'activateRoom',
    summary: 'Activate the room (A)',
    description: 'Phones can sign in again.',
    message: 'The room is active',
  },
  stop: {
    operationId: 'stopRoom',
    summary: 'Stop the room (S)',
    description: "Signs out every phone of the room and refuses new ones. The host's console stays signed in.",
    message: 'The room is stopped. Phones cannot sign in until it is activated.',
    change: { is_active: false },
  },
  logout: {
    operationId: 'signOutOwnPhone',
    summary: "Sign out the host's own phone",
    message: 'Your phone is signed out',
  },
  'change-phone': {
    operationId: 'changeOwnPhone',
    summary: "Clear the host's own device binding (C)",
    message: 'Device binding cleared. You can now login from a new phone.',
    change: { device_id: null },
  },
}

export const hostRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host')

    app.get(
      '/host/profile',
      {
        schema: {
          tags,
          operationId: 'getProfile',
          summary: "Get the host's own account",
          response: { 200: withExample(HostAnswer, { success: true, data: host }) },
        },
      },
      async (request) => ({
        success: true as const,
        data: await findHost(deps, signedInHost(request).host_id),
      }),
    )

    for (const action of PROFILE_ACTIONS) {
      const { message, change, ...words } = ACTIONS[action]
      const example = { success: true as const, message, data: { ...host, ...change } }
      app.post(
        `/host/profile/${action}`,
        { schema: { tags, ...words, response: { 200: withExample(HostAnswer, example) }, failures: ['busy'] } },
        async (request) => {
          const host = signedInHost(request)
          const data = await actOnProfile(deps, byHost(host, request.ip), host.host_id, action)
          return { success: true as const, message, data }
        },
      )
    }

    app.get(
      '/host/subscription',
      {
        schema: {
          tags: ['Subscriptions'],
          operationId: 'getOwnSubscription',
          summary: "Get the host's own subscription",
          response: { 200: withExample(SubscriptionAnswer, { success: true, data: subscription }) },
        },
        config: { background: true, turns: 'database' },
      },
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
