import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { AuditAnswer, type AuditKind } from '../../../shared/audit.ts'
import { api } from '../../lib/api-client.ts'
import { type Period, periodBounds } from '../../lib/periods.ts'

export type LogFilters = { kind: AuditKind | null; user: string | null; period: Period }

function queryOf({ kind, user, period }: LogFilters) {
  return { ...periodBounds(period), ...(kind && { kind }), ...(user && { user }) }
}

export const hostLog = (view: LogFilters, enabled: boolean) =>
  infiniteQueryOptions({
    queryKey: ['host-log', view],
    queryFn: async ({ pageParam, signal }) => {
      const query = new URLSearchParams({ ...queryOf(view), ...(pageParam && { before: pageParam }) })
      return (await api(AuditAnswer, 'GET', `/host/audit?${query}`, undefined, { signal })).data
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    enabled,
    placeholderData: keepPreviousData,
  })

export function logFileUrl(view: LogFilters): string {
  return `/host/audit?${new URLSearchParams({ ...queryOf(view), format: 'csv' })}`
}
