import { useEffect, useRef } from 'react'

/** Returns a function that returns a signal, aborted once the component has left the screen. */
export function useLeaving(): () => AbortSignal {
  const leaving = useRef(new AbortController())
  useEffect(() => {
    const shown = new AbortController()
    leaving.current = shown
    return () => shown.abort()
  }, [])
  return () => leaving.current.signal
}
