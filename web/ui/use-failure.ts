import { useState } from 'react'

type Asked = { data: unknown; error: Error | null }

/**
 * Why there is nothing to show, or null. The query library forgets a failure when it asks again; the page keeps it
 * until there is an answer, else its words would come and go with every poll.
 */
export function useFailure({ data, error }: Asked): Error | null {
  const [last, setLast] = useState<Error | null>(null)
  const failure = data === undefined ? (error ?? last) : null
  if (failure !== last) setLast(failure)
  return failure
}
