import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'

const NAME = 'find'

/** The address of a page that filters, filtered to begin with. */
export function findIn(path: string, words: string): string {
  return `${path}?${new URLSearchParams({ [NAME]: words })}`
}

/**
 * A filter that the header's search may set. The address is cleaned at once, since the filter goes its own way. `onAsked`
 * takes away whatever else would hide the one who is looked for; it stays the same function.
 */
export function useFind(onAsked?: () => void): [string, (words: string) => void] {
  const [params, setParams] = useSearchParams()
  const asked = params.get(NAME)
  const [words, setWords] = useState(asked ?? '')

  useEffect(() => {
    if (asked === null) return
    setWords(asked)
    onAsked?.()
    setParams({}, { replace: true })
  }, [asked, setParams, onAsked])

  return [words, setWords]
}
