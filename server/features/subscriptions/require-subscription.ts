import { type SubscriptionDates, statusAt } from '../../../shared/subscription-dates.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'

export function requireSubscription(host: SubscriptionDates, now: Date): void {
  const status = statusAt(host, now)
  if (status === 'cancelled')
    throw new AppError('subscription_cancelled', 'The subscription of this room was cancelled.')
  if (status !== 'active') throw new AppError('subscription_inactive', 'The subscription of this room is not active.')
}

/** A phone that comes needs an active subscription of its room; one that is online stays until it leaves. */
export async function requireSubscriptionToCome(deps: Deps, host_id: string, phoneId: string): Promise<void> {
  const room = deps.rooms.ready(host_id) ?? (await deps.rooms.of(host_id))
  if (room.isOnline(phoneId)) return
  const host = await deps.db
    .selectFrom('hosts')
    .select(['subscription_type', 'subscription_start_date', 'subscription_end_date', 'subscription_cancelled_at'])
    .where('id', '=', host_id)
    .executeTakeFirstOrThrow()
  requireSubscription(host, new Date(deps.now()))
}
