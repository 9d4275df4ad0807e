import type { FastifySchema } from 'fastify'
import { ById } from '../../../shared/envelope.ts'
import { EXTENDED_TO, host, ID, master, NOON, subscription } from '../../../shared/examples.ts'
import { HostAnswer } from '../../../shared/hosts.ts'
import { CancelSubscription, ExtendSubscription, SubscriptionHistoryAnswer } from '../../../shared/subscriptions.ts'
import { withExample } from '../../lib/with-example.ts'

const tags = ['Subscriptions']
const HostId = withExample(ById, { id: ID.host })

export const extendSubscription = {
  tags,
  operationId: 'extendSubscription',
  summary: "Extend a host's subscription",
  description:
    'Adds calendar months in UTC to the end date if it is still ahead, else to today. Reverses a cancellation. ' +
    'With `expect`, nothing is added if the end date has changed since.',
  params: HostId,
  body: withExample(ExtendSubscription, {
    additional_months: 12,
    expect: { subscription_end_date: subscription.subscription_end_date },
  }),
  response: {
    200: withExample(HostAnswer, {
      success: true,
      message: 'Subscription extended by 12 months',
      data: { ...host, subscription_end_date: EXTENDED_TO },
    }),
  },
  failures: ['state_changed'],
} satisfies FastifySchema

export const cancelSubscription = {
  tags,
  operationId: 'cancelSubscription',
  summary: "Cancel a host's subscription now",
  description:
    'The host and the phones of its room are signed out at once, and cannot sign in again. ' +
    'With `expect`, nothing is cancelled if the end date has changed since.',
  params: HostId,
  body: withExample(CancelSubscription, {
    expect: { subscription_end_date: subscription.subscription_end_date },
  }),
  response: {
    200: withExample(HostAnswer, {
      success: true,
      message: 'Subscription cancelled',
      data: { ...host, subscription_status: 'cancelled' },
    }),
  },
  failures: ['state_changed'],
} satisfies FastifySchema

export const listSubscriptionChanges = {
  tags,
  operationId: 'listSubscriptionChanges',
  summary: "List every change of a host's subscription",
  params: HostId,
  response: {
    200: withExample(SubscriptionHistoryAnswer, {
      success: true,
      data: {
        history: [
          {
            id: '42',
            at: NOON,
            action: 'extended',
            by: { id: master.id, name: master.email },
            months: 12,
            before: subscription,
            after: { ...subscription, subscription_end_date: EXTENDED_TO },
          },
        ],
      },
    }),
  },
} satisfies FastifySchema
