import { Badge } from '@mantine/core'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useNow } from '../../lib/use-now.ts'

const STALE_AFTER_MS = 5000

/** Shown when a polled list has not been answered for a while; it has its own clock, so that the list is not rendered for it. */
export function StaleBadge({ queryKey }: { queryKey: QueryKey }) {
  useNow(1000)
  const state = useQueryClient().getQueryState(queryKey)
  // Without an error the tab was only hidden, and has not polled since.
  const isStale = state?.status === 'error' && Date.now() - state.dataUpdatedAt >= STALE_AFTER_MS
  return <span role="status">{isStale ? <Badge color="bad">Out of date: no answer from the server</Badge> : null}</span>
}
