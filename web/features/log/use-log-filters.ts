import { useSearchParams } from 'react-router'
import { AuditKind } from '../../../shared/audit.ts'
import { presetPeriod } from '../../lib/periods.ts'
import type { LogFilters } from './queries.ts'

/**
 * Keeps the filters in the address, so that a reload or Back restores them. The user is `of`, since `user` opens a
 * panel.
 */
export function useLogFilters(): [LogFilters, (part: Partial<LogFilters>) => void] {
  const [params, setParams] = useSearchParams()
  const kind = AuditKind.safeParse(params.get('kind'))
  const days = presetPeriod('Last 30 days', Date.now())
  const view: LogFilters = {
    kind: kind.success ? kind.data : null,
    user: params.get('of'),
    period: { from: params.get('from') ?? days.from, to: params.get('to') ?? days.to },
  }

  function change(part: Partial<LogFilters>) {
    const { kind, user, period } = { ...view, ...part }
    const isFirst = period.from === days.from && period.to === days.to
    const fields = { kind, of: user, from: isFirst ? null : period.from, to: isFirst ? null : period.to }
    setParams(
      (now) => {
        for (const [name, value] of Object.entries(fields)) {
          if (value === null) now.delete(name)
          else now.set(name, value)
        }
        return now
      },
      { replace: true },
    )
  }

  return [view, change]
}
