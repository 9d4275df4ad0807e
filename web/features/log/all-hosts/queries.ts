import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { AuditAnswer, type AuditKind } from '../../../../shared/audit.ts'
import { api } from '../../../lib/api-client.ts'
import { type Period, periodBounds } from '../../../lib/periods.ts'

export type AllHostsLogFilters = { kind: AuditKind | null; host: string | null; words: string; period: Period }

function queryOf({ kind, host, words, period }: AllHostsLogFilters) {
  const search = words.trim()
  return {
    ...periodBounds(period),
    ...(kind && { kind }),
    ...(host && { host_id: host }),
    ...(search && { search }),
  }
}

export const allHostsLog = (view: AllHostsLogFilters, enabled: boolean) =>
  infiniteQueryOptions({
    queryKey: ['all-hosts-log', view],
    queryFn: async ({ pageParam, signal }) => {
      const query = new URLSearchParams({ ...queryOf(view), ...(pageParam && { before: pageParam }) })
      return (await api(AuditAnswer, 'GET', `/admin/audit?${query}`, undefined, { signal })).data
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    enabled,
    placeholderData: keepPreviousData,
  })

export function allHostsLogFile(view: AllHostsLogFilters, format: 'csv' | 'jsonl'): string {
  return `/admin/audit?${new URLSearchParams({ ...queryOf(view), format })}`
}
