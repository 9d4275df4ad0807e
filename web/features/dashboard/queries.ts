import { queryOptions } from '@tanstack/react-query'
import { DashboardAnswer } from '../../../shared/dashboard.ts'
import { api } from '../../lib/api-client.ts'

export const dashboard = queryOptions({
  queryKey: ['dashboard'],
  queryFn: ({ signal }) => api(DashboardAnswer, 'GET', '/host/dashboard', undefined, { signal }),
  refetchInterval: 15_000, // how many are online
  refetchOnWindowFocus: 'always',
})
