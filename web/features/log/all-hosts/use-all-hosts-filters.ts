import { useCallback } from 'react'
import { useSearchParams } from 'react-router'
import { AuditKind } from '../../../../shared/audit.ts'
import { presetPeriod } from '../../../lib/periods.ts'
import type { AllHostsLogFilters } from './queries.ts'

function readFilters(params: URLSearchParams): AllHostsLogFilters {
  const kind = AuditKind.safeParse(params.get('kind'))
  const days = presetPeriod('Last 30 days', Date.now())
  return {
    kind: kind.success ? kind.data : null,
    host: params.get('host'),
    words: params.get('q') ?? '',
    period: { from: params.get('from') ?? days.from, to: params.get('to') ?? days.to },
  }
}

/** Keeps the filters in the address, so that a reload or Back restores them, and a link may choose a host. */
export function useAllHostsFilters(): [AllHostsLogFilters, (part: Partial<AllHostsLogFilters>) => void] {
  const [params, setParams] = useSearchParams()
  const change = useCallback(
    (part: Partial<AllHostsLogFilters>) =>
      setParams(
        (now) => {
          const { kind, host, words, period } = { ...readFilters(now), ...part }
          const days = presetPeriod('Last 30 days', Date.now())
          const isFirst = period.from === days.from && period.to === days.to
          const fields = {
            ...{ kind, host, q: words || null },
            ...{ from: isFirst ? null : period.from, to: isFirst ? null : period.to },
          }
          for (const [name, value] of Object.entries(fields)) {
            if (value === null) now.delete(name)
            else now.set(name, value)
          }
          return now
        },
        { replace: true },
      ),
    [setParams],
  )
  return [readFilters(params), change]
}
