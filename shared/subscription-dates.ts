import { addMonths, endOfDay } from './dates.ts'
import { SUBSCRIPTION_MONTHS, type Subscription } from './subscriptions.ts'

/** The stored facts of a subscription; its status is always computed from them. */
export interface SubscriptionDates {
  subscription_type: number | null
  subscription_start_date: Date | null
  subscription_end_date: Date | null
  subscription_cancelled_at: Date | null
}

type Status = Subscription['subscription_status']

/** A subscription is active until its end. A cancelled one stays cancelled regardless of its dates. */
export function statusAt(dates: SubscriptionDates, now: Date): Status {
  if (dates.subscription_cancelled_at) return 'cancelled'
  if (!dates.subscription_end_date) return 'none'
  return dates.subscription_end_date > now ? 'active' : 'expired'
}

export function readSubscription(dates: SubscriptionDates, now: Date): Subscription {
  return {
    subscription_type: dates.subscription_type,
    subscription_status: statusAt(dates, now),
    subscription_start_date: dates.subscription_start_date?.toISOString() ?? null,
    subscription_end_date: dates.subscription_end_date?.toISOString() ?? null,
  }
}

export function newSubscription(months: number | null, now: Date): SubscriptionDates {
  return {
    subscription_type: months,
    subscription_start_date: months ? now : null,
    subscription_end_date: months ? addMonths(now, months) : null,
    subscription_cancelled_at: null,
  }
}

/** Adds months to a future end date, or to now. Reverses a cancellation. */
export function extendDates(dates: SubscriptionDates, months: number, now: Date): SubscriptionDates {
  const end = dates.subscription_end_date
  const from = end && end > now ? end : now
  return {
    subscription_type: months,
    subscription_start_date: dates.subscription_start_date ?? now,
    subscription_end_date: addMonths(from, months),
    subscription_cancelled_at: null,
  }
}

/** Subtracts months from the end date, but never goes before today. */
export function reduceDates(dates: SubscriptionDates, months: number, now: Date): SubscriptionDates {
  const shorter = addMonths(dates.subscription_end_date ?? now, -months)
  return { ...dates, subscription_end_date: shorter > now ? shorter : now, subscription_cancelled_at: null }
}

export function setEndDate(dates: SubscriptionDates, end: Date, now: Date): SubscriptionDates {
  return {
    ...dates,
    subscription_type: dates.subscription_type ?? shortestLength(now, end),
    subscription_start_date: dates.subscription_start_date ?? now,
    subscription_end_date: end,
    subscription_cancelled_at: null,
  }
}

/** Ends the subscription now. A cancelled one is unchanged. */
export function cancelDates(dates: SubscriptionDates, now: Date): SubscriptionDates {
  if (dates.subscription_cancelled_at) return dates
  return { ...dates, subscription_end_date: now, subscription_cancelled_at: now }
}

/** The subscription actions of the Edit Host form. */
export type SubscriptionEdit =
  | { action: 'extend' | 'reduce'; months: number }
  | { action: 'set_date'; day: string }
  | { action: 'cancel' }

export function editSubscription(dates: SubscriptionDates, edit: SubscriptionEdit, now: Date): SubscriptionDates {
  switch (edit.action) {
    case 'extend':
      return extendDates(dates, edit.months, now)
    case 'reduce':
      return reduceDates(dates, edit.months, now)
    case 'set_date':
      return setEndDate(dates, endOfDay(edit.day), now) // the subscription includes its last day
    case 'cancel':
      return cancelDates(dates, now)
  }
}

/** Converts the API's subscription back to the stored columns. */
export function datesOf(subscription: Subscription): SubscriptionDates {
  const date = (text: string | null) => (text === null ? null : new Date(text))
  const end = date(subscription.subscription_end_date)
  return {
    subscription_type: subscription.subscription_type,
    subscription_start_date: date(subscription.subscription_start_date),
    subscription_end_date: end,
    subscription_cancelled_at: subscription.subscription_status === 'cancelled' ? (end ?? new Date(0)) : null,
  }
}

/** Returns the shortest length on sale that reaches the end, else the longest. */
function shortestLength(start: Date, end: Date): number {
  return SUBSCRIPTION_MONTHS.find((months) => addMonths(start, months) >= end) ?? Math.max(...SUBSCRIPTION_MONTHS)
}
