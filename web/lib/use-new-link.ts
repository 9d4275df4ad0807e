import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'

/** Makes a link that exists only in the open dialog. `queryKey` names the query that says when a link was made. */
export function useNewLink<Link>(create: (signal: AbortSignal) => Promise<Link>, queryKey: QueryKey) {
  const [isMaking, setMaking] = useState(false)
  const [result, setResult] = useState<{ link?: Link; error?: unknown }>({})
  const client = useQueryClient()
  const closing = useRef(new AbortController())
  useEffect(() => {
    const opened = new AbortController()
    closing.current = opened
    return () => opened.abort()
  }, [])

  async function make() {
    const { signal } = closing.current
    setMaking(true)
    setResult({}) // even without an answer, the server may have replaced the one before
    const made = await create(signal).then(
      (link) => ({ link }),
      (error: unknown) => ({ error }),
    )
    void client.invalidateQueries({ queryKey })
    if (signal.aborted) return
    setMaking(false)
    setResult(made)
  }
  const { link = null, error = null } = result
  return { link, error, isMaking, make: () => void make(), forget: () => setResult({}) }
}
