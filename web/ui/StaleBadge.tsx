import { Badge } from '@mantine/core'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useNow } from '../lib/use-now.ts'

const STALE_AFTER_MS = 5000

/** Shown while the polls of a query fail. Its own clock spares a list from rendering again. */
export function StaleBadge({ queryKey }: { queryKey: QueryKey }) {
  const isStale = useIsStale(queryKey)
  return <span role="status">{isStale ? <Badge color="bad">Out of date: no answer from the server</Badge> : null}</span>
}

/** True once polls have failed for a while. Without a failure the tab was only hidden, and has not polled since. */
export function useIsStale(queryKey: QueryKey): boolean {
  useNow(1000)
  const state = useQueryClient().getQueryState(queryKey)
  if (!state) return false
  const hasFailed = state.status === 'error' || state.fetchFailureCount > 0
  return hasFailed && Date.now() - state.dataUpdatedAt >= STALE_AFTER_MS
}
