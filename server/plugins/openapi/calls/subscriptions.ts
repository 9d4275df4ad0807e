import type { Calls } from '../call.ts'
import { done, host, ID, subscription } from '../examples.ts'

const TO_2028 = '2028-03-01T00:00:00.000Z'

export const subscriptionCalls: Calls = {
  'POST /admin/hosts/:id/extend-subscription': {
    tag: 'Subscriptions',
    name: 'extendSubscription',
    summary: "Extend a host's subscription",
    description:
      'Adds calendar months in UTC to the end date where that is still ahead, else to today. Reverses a cancellation. ' +
      'With `expect` nothing is added when the end is no longer the one that was seen.',
    body: { additional_months: 12, expect: { subscription_end_date: host.subscription_end_date } },
    answer: { ...done('Subscription extended by 12 months'), data: { ...host, subscription_end_date: TO_2028 } },
    failures: ['state_changed'],
  },
  'POST /admin/hosts/:id/cancel-subscription': {
    tag: 'Subscriptions',
    name: 'cancelSubscription',
    summary: "Cancel a host's subscription now",
    description: 'The host and the phones of its room are signed out at once, and cannot sign in again.',
    answer: { ...done('Subscription cancelled'), data: { ...host, subscription_status: 'cancelled' } },
  },
  'GET /admin/hosts/:id/subscription-history': {
    tag: 'Subscriptions',
    name: 'listSubscriptionChanges',
    summary: "List every change of a host's subscription",
    answer: {
      success: true,
      data: {
        history: [
          {
            id: '42',
            at: '2026-11-20T12:00:00.000Z',
            action: 'extended',
            by: { id: ID.master, name: 'master@parley.example' },
            months: 12,
            before: subscription,
            after: { ...subscription, subscription_end_date: TO_2028 },
          },
        ],
      },
    },
  },
  'GET /host/subscription': {
    tag: 'Subscriptions',
    name: 'getOwnSubscription',
    summary: 'Read the own subscription',
    answer: { success: true, data: subscription },
  },
}
