import { z } from 'zod'
import { answer, Time } from './envelope.ts'
import { SubscriptionStatus } from './subscriptions.ts'

export const RENEWAL_DAYS_MAX = 366
export const RENEWAL_DAYS_DEFAULT = 30
export const SOLD_MONTHS_MAX = 60
export const SOLD_MONTHS_DEFAULT = 12

export const RenewalsQuery = z.object({
  days: z.coerce.number().int().min(1).max(RENEWAL_DAYS_MAX).default(RENEWAL_DAYS_DEFAULT),
  format: z.enum(['json', 'csv']).default('json'),
})

/** A host whose subscription ends soon, or has ended. `days_left` is negative after the end. */
export const Renewal = z.object({
  id: z.string(),
  username: z.string(),
  email: z.string(),
  mobile: z.string().nullable(),
  subscription_type: z.number().nullable(),
  subscription_status: SubscriptionStatus,
  subscription_end_date: Time,
  days_left: z.number().int(),
})
export type Renewal = z.infer<typeof Renewal>
export const RenewalsAnswer = answer(z.object({ hosts: z.array(Renewal) }))

export const SoldQuery = z.object({
  months: z.coerce.number().int().min(1).max(SOLD_MONTHS_MAX).default(SOLD_MONTHS_DEFAULT),
})

/** `month` is one of UTC, such as 2026-11. */
export const SoldMonth = z.object({
  month: z.string(),
  extensions: z.number().int(),
  new: z.number().int(),
  months_sold: z.number().int(),
  cancelled: z.number().int(),
})
export type SoldMonth = z.infer<typeof SoldMonth>
export const SoldAnswer = answer(z.object({ months: z.array(SoldMonth) }))
