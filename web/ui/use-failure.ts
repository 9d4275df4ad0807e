import { useState } from 'react'

type QueryState = { data: unknown; error: Error | null }

/**
 * Returns why there is no data, or null. TanStack Query forgets a failure when it fetches again; this keeps it until
 * there is an answer, else the message would come and go with every poll.
 */
export function useFailure({ data, error }: QueryState): Error | null {
  const [last, setLast] = useState<Error | null>(null)
  const failure = data === undefined ? (error ?? last) : null
  if (failure !== last) setLast(failure)
  return failure
}
