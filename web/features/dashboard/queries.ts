import { queryOptions } from '@tanstack/react-query'
import { DashboardAnswer, DashboardChartsAnswer } from '../../../shared/dashboard.ts'
import { api } from '../../lib/api-client.ts'
import { ownTimeZone } from '../../lib/time-zone.ts'

export const dashboard = queryOptions({
  queryKey: ['dashboard'],
  queryFn: ({ signal }) => api(DashboardAnswer, 'GET', '/host/dashboard', undefined, { signal }),
  refetchInterval: 15_000, // how many are online
  refetchOnWindowFocus: 'always',
})

/** Changes with each visit by a little, so that a look at another page asks for nothing. */
const CHARTS_FRESH_MS = 60_000

export const dashboardCharts = queryOptions({
  queryKey: ['dashboard', 'charts'],
  queryFn: async ({ signal }) => {
    const query = new URLSearchParams({ zone: ownTimeZone() })
    return (await api(DashboardChartsAnswer, 'GET', `/host/dashboard/charts?${query}`, undefined, { signal })).data
  },
  staleTime: CHARTS_FRESH_MS,
})
