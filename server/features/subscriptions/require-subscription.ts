import { type SubscriptionDates, statusAt } from '../../../shared/subscription-dates.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'

export const SUBSCRIPTION_COLUMNS = [
  'subscription_type',
  'subscription_start_date',
  'subscription_end_date',
  'subscription_cancelled_at',
] as const satisfies (keyof SubscriptionDates)[]

export function requireSubscription(host: SubscriptionDates, now: Date): void {
  const status = statusAt(host, now)
  if (status === 'cancelled')
    throw new AppError('subscription_cancelled', 'The subscription of this room was cancelled.')
  if (status !== 'active') throw new AppError('subscription_inactive', 'The subscription of this room is not active.')
}

/** Throws for a phone that comes online without a subscription. A phone that is already online may stay. */
export async function requireSubscriptionToCome(deps: Deps, host_id: string, phoneId: string): Promise<void> {
  const room = deps.rooms.peek(host_id) ?? (await deps.rooms.get(host_id))
  if (room.isOnline(phoneId)) return
  const query = deps.db.selectFrom('hosts').select(SUBSCRIPTION_COLUMNS).where('id', '=', host_id)
  await deps.subscriptionChecks.run(host_id, async () =>
    requireSubscription(await query.executeTakeFirstOrThrow(), new Date(deps.now())),
  )
}
