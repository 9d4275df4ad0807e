import type { FastifySchema } from 'fastify'
import { z } from 'zod'
import { host, subscription } from '../../../shared/examples.ts'
import { RenewalsAnswer, RenewalsQuery, SoldAnswer, SoldQuery } from '../../../shared/renewals.ts'
import { withExample } from '../../lib/with-example.ts'

const tags = ['Subscriptions']
const { id, username, email, mobile } = host
const { subscription_type, subscription_status } = subscription
const end = { subscription_type, subscription_status, subscription_end_date: '2026-11-25T00:00:00.000Z' }

export const listRenewals = {
  tags,
  operationId: 'listRenewals',
  summary: 'List the subscriptions to renew',
  description:
    'Those that end within `days`, and those that ended within `days` and were not renewed, earliest end first. ' +
    'Cancelled ones are left out. `days_left` is negative after the end. A master may get 20 files a minute ' +
    '(`format=csv`).',
  querystring: withExample(RenewalsQuery, { days: 30, format: 'json' }),
  response: {
    200: {
      content: {
        'application/json': {
          schema: withExample(RenewalsAnswer, {
            success: true,
            data: { hosts: [{ id, username, email, mobile, ...end, days_left: 5 }] },
          }),
        },
        'text/csv': { schema: z.string() },
      },
    },
  },
} satisfies FastifySchema

export const countSold = {
  tags,
  operationId: 'countSoldMonths',
  summary: 'Count what was sold in each month',
  description:
    'The last `months` months of UTC, this one included, oldest first, also those without a sale. `months_sold` are ' +
    'the months of new and extended subscriptions, less those that were taken back. Purged hosts no longer count.',
  querystring: withExample(SoldQuery, { months: 12 }),
  response: {
    200: withExample(SoldAnswer, {
      success: true,
      data: { months: [{ month: '2026-11', extensions: 4, new: 1, months_sold: 21, cancelled: 0 }] },
    }),
  },
} satisfies FastifySchema
