import { daysRemaining, SUBSCRIPTION_WARNING_DAYS, type Subscription } from './subscriptions.ts'

export const UTC_DAYS = 'Days of the subscription are counted in UTC'

export type SubscriptionDisplay = {
  tone: 'good' | 'bad'
  /** Shows a warning icon: a week or less is left, or it has expired. */
  warns: boolean
  status: string
  remaining: string | null
}

export type ShownSubscription = Omit<Subscription, 'subscription_start_date'>

const STATUS_WORDS = { active: 'Active', expired: 'Expired', cancelled: 'Cancelled', none: 'No subscription' }

/** Returns null without a subscription. */
export function subscriptionDisplay(subscription: ShownSubscription, now: number): SubscriptionDisplay | null {
  const { subscription_type, subscription_status, subscription_end_date } = subscription
  if (subscription_type === null || subscription_status === 'none') return null

  const active = subscription_status === 'active'
  const days = subscription_end_date ? daysRemaining(subscription_end_date, now) : null
  return {
    tone: active ? 'good' : 'bad',
    warns: subscription_status === 'expired' || (days !== null && days <= SUBSCRIPTION_WARNING_DAYS),
    status: STATUS_WORDS[subscription_status],
    remaining: active && days !== null ? daysLeft(days) : null,
  }
}

function daysLeft(days: number): string {
  if (days <= 0) return 'Ends today'
  return days === 1 ? '1 day left' : `${days} days left`
}

export function monthsText(months: number): string {
  return months === 1 ? '1 month' : `${months} months`
}
