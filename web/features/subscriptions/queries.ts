import { queryOptions } from '@tanstack/react-query'
import { SubscriptionAnswer } from '../../../shared/subscriptions.ts'
import { api } from '../../lib/api-client.ts'

const FIVE_MINUTES_MS = 5 * 60_000

export const ownSubscription = queryOptions({
  queryKey: ['own-subscription'],
  queryFn: ({ signal }) => api(SubscriptionAnswer, 'GET', '/host/subscription', undefined, { signal }),
  staleTime: FIVE_MINUTES_MS,
  gcTime: FIVE_MINUTES_MS,
  retry: false,
})
