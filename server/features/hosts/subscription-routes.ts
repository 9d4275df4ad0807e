import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import { cancelDates, extendDates, type SubscriptionDates } from '../../../shared/subscription-dates.ts'
import { type ExtendSubscription, SubscriptionChange } from '../../../shared/subscriptions.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { uuidOr404 } from '../../lib/uuid.ts'
import { allow, signedInMaster } from '../auth/guards.ts'
import { signOutSessions } from '../auth/log-out.ts'
import { changeSubscription } from '../subscriptions/change-subscription.ts'
import { findHost } from './hosts.ts'
import * as api from './subscription-api.ts'

type SeenEnd = NonNullable<z.infer<typeof ExtendSubscription>['expect']>

/** Two masters who saw the same end date must not both extend it, or cancel what the other one extended. */
function requireSeenEnd({ subscription_end_date }: SubscriptionDates, seen: SeenEnd | undefined, act: string): void {
  if (!seen) return
  const seenEnd = seen.subscription_end_date === null ? null : Date.parse(seen.subscription_end_date)
  if ((subscription_end_date?.getTime() ?? null) !== seenEnd)
    throw new AppError('state_changed', `This subscription was just changed. Check the new end date before ${act}.`)
}

export const masterSubscriptionRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'master')

    app.post('/admin/hosts/:id/extend-subscription', { schema: api.extendSubscription }, async (request) => {
      const id = uuidOr404(request.params.id, 'Host not found')
      const months = request.body.additional_months
      const by = signedInMaster(request)
      const { expect } = request.body
      const change = (dates: SubscriptionDates, now: Date) => {
        requireSeenEnd(dates, expect, 'extending again')
        return extendDates(dates, months, now)
      }
      await deps.db
        .transaction()
        .execute((tx) => changeSubscription(deps, tx, by, { host_id: id, action: 'extended', change, months }))
      const message = `Subscription extended by ${months} month${months === 1 ? '' : 's'}`
      return { success: true as const, message, data: await findHost(deps, id) }
    })

    app.post('/admin/hosts/:id/cancel-subscription', { schema: api.cancelSubscription }, async (request) => {
      const id = uuidOr404(request.params.id, 'Host not found')
      const by = signedInMaster(request)
      const change = (dates: SubscriptionDates, now: Date) => {
        if (!dates.subscription_cancelled_at) requireSeenEnd(dates, request.body?.expect, 'cancelling it')
        return cancelDates(dates, now)
      }
      const ended = await deps.db
        .transaction()
        .execute((tx) => changeSubscription(deps, tx, by, { host_id: id, action: 'cancelled', change }))
      await signOutSessions(deps, id, ended, 'cancelled')
      return { success: true as const, message: 'Subscription cancelled', data: await findHost(deps, id) }
    })

    app.get('/admin/hosts/:id/subscription-history', { schema: api.listSubscriptionChanges }, async ({ params }) => {
      const history = await listChanges(deps, uuidOr404(params.id, 'Host not found'))
      return { success: true as const, data: { history } }
    })
  }

/** Lists the newest first. */
async function listChanges(deps: Deps, hostId: string): Promise<z.infer<typeof SubscriptionChange>[]> {
  await findHost(deps, hostId)
  const rows = await deps.db
    .selectFrom('subscription_changes')
    .selectAll()
    .where('host_id', '=', hostId)
    .orderBy('at', 'desc')
    .execute()
  return rows.map((row) =>
    SubscriptionChange.parse({ ...row, at: row.at.toISOString(), by: { id: row.by_id, name: row.by_name } }),
  )
}
