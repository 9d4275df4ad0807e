import { Paper } from '@mantine/core'
import { messageOf } from '../lib/api-client.ts'
import { Loading } from './base/Loading.tsx'
import { Failed } from './Failed.tsx'
import { useFailure } from './use-failure.ts'

type NotLoadedProps = {
  query: { data: unknown; error: Error | null; isFetching: boolean; refetch: () => unknown }
  loading?: string
  /** The heading for a failed query, and its text if the server sends none. */
  title?: string
  text?: string
  retrying?: boolean
  onRetry?: () => void
}

/** Shown until a query has data: a loader, or the reason why it failed. */
export function NotLoaded({
  query,
  loading,
  title,
  text = 'The list could not be fetched. Check the connection, then try again.',
  retrying,
  onRetry = () => void query.refetch(),
}: NotLoadedProps) {
  const failure = useFailure(query)
  return (
    <Paper>
      {failure ? (
        <Failed error={failure} title={title} retrying={retrying ?? query.isFetching} onRetry={onRetry}>
          {messageOf(failure, text)}
        </Failed>
      ) : (
        <Loading label={loading} />
      )}
    </Paper>
  )
}
