import { Badge } from '@mantine/core'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useNow } from '../../lib/use-now.ts'

const STALE_AFTER_MS = 5000

/** Shown when polls of the list have failed for a while. Its own clock spares the list from rendering again. */
export function StaleBadge({ queryKey }: { queryKey: QueryKey }) {
  useNow(1000)
  const state = useQueryClient().getQueryState(queryKey)
  // Without an error the tab was only hidden, and has not polled since.
  const isStale = state?.status === 'error' && Date.now() - state.dataUpdatedAt >= STALE_AFTER_MS
  return <span role="status">{isStale ? <Badge color="bad">Out of date: no answer from the server</Badge> : null}</span>
}
