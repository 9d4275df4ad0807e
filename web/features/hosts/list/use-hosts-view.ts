import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { OFFERED_MONTHS } from '../../../../shared/subscriptions.ts'
import { type HostsView, readHostsView, withHostsView } from './hosts-view.ts'

/** Names the host whose details the address opens, or its subscription with these months chosen. */
export type ViewedHost = { id: string; months: number | null }

/** Keeps the view in the address. Any change resets the list to its first page. */
export function useHostsView() {
  const [params, setParams] = useSearchParams()
  const view = useMemo(() => readHostsView(params), [params])

  const change = useCallback(
    (part: Partial<HostsView>) =>
      setParams((now) => withHostsView(now, { ...readHostsView(now), page: 1, ...part }), { replace: true }),
    [setParams],
  )
  const id = params.get('host')
  const months = OFFERED_MONTHS.find((count) => String(count) === params.get('extend')) ?? null
  const viewed = useMemo(() => (id === null ? null : { id, months }), [id, months])
  const closeViewed = useCallback(
    () =>
      setParams(
        (now) => {
          now.delete('host')
          now.delete('extend')
          return now
        },
        { replace: true },
      ),
    [setParams],
  )
  return { view, change, viewed, closeViewed }
}
