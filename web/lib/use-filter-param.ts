import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'

const NAME = 'find'

/**
 * A filter that the header's search may set by an address. The parameter is removed at once, since the person may
 * change the filter. `onParam` clears whatever else would hide the match; it has to be a stable function.
 */
export function useFilterParam(onParam?: () => void): [string, (words: string) => void] {
  const [params, setParams] = useSearchParams()
  const wanted = params.get(NAME)
  const [words, setWords] = useState(wanted ?? '')

  useEffect(() => {
    if (wanted === null) return
    setWords(wanted)
    onParam?.()
    setParams({}, { replace: true })
  }, [wanted, setParams, onParam])

  return [words, setWords]
}
