import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { StatusBadge } from '../../ui/StatusBadge.tsx'

const STALE_AFTER_MS = 5000
const LOOK_MS = 1000

/** Says so when a polled list has not been answered for a while. It looks by itself, so that the list is not drawn anew. */
export function StaleBadge({ queryKey }: { queryKey: QueryKey }) {
  const client = useQueryClient()
  const [isStale, setStale] = useState(false)

  useEffect(() => {
    const timer = setInterval(() => {
      const state = client.getQueryState(queryKey)
      // A tab that comes back from hiding has not failed before it has asked.
      setStale(state?.status === 'error' && Date.now() - state.dataUpdatedAt >= STALE_AFTER_MS)
    }, LOOK_MS)
    return () => clearInterval(timer)
  }, [client, queryKey])

  return (
    <span role="status">
      {isStale ? <StatusBadge tone="bad">Not live: no answer from the server</StatusBadge> : null}
    </span>
  )
}
