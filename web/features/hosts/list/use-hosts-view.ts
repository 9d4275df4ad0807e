import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { type HostsView, readHostsView, withHostsView } from './hosts-view.ts'

/** Keeps the view in the address. Any change resets the list to its first page. */
export function useHostsView() {
  const [params, setParams] = useSearchParams()
  const view = useMemo(() => readHostsView(params), [params])

  const change = useCallback(
    (part: Partial<HostsView>) =>
      setParams((now) => withHostsView(now, { ...readHostsView(now), page: 1, ...part }), { replace: true }),
    [setParams],
  )
  const viewedId = params.get('host')
  const closeViewed = useCallback(
    () =>
      setParams(
        (now) => {
          now.delete('host')
          return now
        },
        { replace: true },
      ),
    [setParams],
  )
  return { view, change, viewedId, closeViewed }
}
