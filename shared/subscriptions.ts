import { z } from 'zod'
import { DAY_MS } from './dates.ts'
import { answer, Time } from './envelope.ts'

/** The numbers of months that can be bought at once. */
export const SUBSCRIPTION_MONTHS = [1, 2, 3, 6, 12] as const
/** The choices when a host is created, and when the master extends from Manage Subscription. */
export const OFFERED_MONTHS = [1, 3, 12] as const
/** The console warns once this many days or fewer are left. */
export const SUBSCRIPTION_WARNING_DAYS = 7

export const SubscriptionMonths = z.literal([...SUBSCRIPTION_MONTHS])
export const SubscriptionStatus = z.enum(['active', 'expired', 'cancelled', 'none'])
export type SubscriptionStatus = z.infer<typeof SubscriptionStatus>

export const Subscription = z.object({
  subscription_type: z.number().nullable(),
  subscription_status: SubscriptionStatus,
  subscription_start_date: Time.nullable(),
  subscription_end_date: Time.nullable(),
})
export type Subscription = z.infer<typeof Subscription>

export const SubscriptionAnswer = answer(Subscription)

const SeenEnd = z.object({ subscription_end_date: Time.nullable() }) // as the caller saw it; else 409 state_changed

export const ExtendSubscription = z.object({ additional_months: SubscriptionMonths, expect: SeenEnd.optional() })
export const CancelSubscription = z.object({ expect: SeenEnd.optional() }).nullish()

export const SubscriptionChange = z.object({
  id: z.string(),
  at: Time,
  action: z.enum(['created', 'extended', 'reduced', 'date_set', 'cancelled', 'edited']),
  by: z.object({ id: z.string(), name: z.string() }),
  months: z.number().nullable(),
  before: Subscription,
  after: Subscription,
})
export const SubscriptionHistoryAnswer = answer(z.object({ history: z.array(SubscriptionChange) }))

/** Counts whole days until the end date, rounded up; negative after it. */
export function daysRemaining(end: string, now: number): number {
  return Math.ceil((Date.parse(end) - now) / DAY_MS)
}
