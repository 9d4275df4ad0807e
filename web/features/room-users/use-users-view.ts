import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { readUsersView, type UsersView, withUsersView } from './users-view.ts'

/** Reads the view from the address, and changes it there. */
export function useUsersView() {
  const [params, setParams] = useSearchParams()
  const view = useMemo(() => readUsersView(params), [params])
  const change = useCallback(
    (part: Partial<UsersView>) =>
      setParams((now) => withUsersView(now, { ...readUsersView(now), ...part }), { replace: true }),
    [setParams],
  )
  return { view, change }
}
