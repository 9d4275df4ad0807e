import { describe, expect, test } from 'vitest'
import { monthsText, subscriptionDisplay } from './subscription-display.ts'
import type { Subscription } from './subscriptions.ts'

const NOW = Date.parse('2026-11-21T12:00:00Z')

function aSubscription(status: Subscription['subscription_status'], end: string | null): Subscription {
  return {
    subscription_type: 3,
    subscription_status: status,
    subscription_start_date: '2026-08-21T12:00:00Z',
    subscription_end_date: end,
  }
}

describe('a subscription as its host reads it', () => {
  test.each([
    ['active', '2027-02-21T12:00:00Z', 'good', false, '92 days left'],
    ['active', '2026-11-29T12:00:00Z', 'good', false, '8 days left'],
    ['active', '2026-11-28T12:00:01Z', 'good', false, '8 days left'],
    ['active', '2026-11-28T12:00:00Z', 'good', true, '7 days left'],
    ['active', '2026-11-21T12:00:01Z', 'good', true, '1 day left'],
    ['active', '2026-11-21T12:00:00Z', 'good', true, 'Ends today'],
    ['expired', '2026-11-20T12:00:00Z', 'bad', true, null],
    ['cancelled', '2026-12-30T12:00:00Z', 'bad', false, null],
  ] as const)('%s until %s is %s, warning %s: %s', (status, end, tone, warns, remaining) => {
    expect(subscriptionDisplay(aSubscription(status, end), NOW)).toMatchObject({ tone, warns, remaining })
  })

  test('none, or one without a length, is no subscription', () => {
    expect(subscriptionDisplay(aSubscription('none', null), NOW)).toBeNull()
    const untyped = { ...aSubscription('active', '2027-02-21T12:00:00Z'), subscription_type: null }
    expect(subscriptionDisplay(untyped, NOW)).toBeNull()
  })

  test('a length is one month or several months', () => {
    expect([1, 3].map(monthsText)).toEqual(['1 month', '3 months'])
  })
})
