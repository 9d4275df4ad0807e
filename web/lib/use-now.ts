import { useEffect, useState } from 'react'

/** Returns `performance.now()`, updated every `everyMs`; null stops the clock. */
export function useNow(everyMs: number | null): number {
  const [now, setNow] = useState(() => performance.now())
  useEffect(() => {
    if (everyMs === null) return
    const tick = () => setNow(performance.now())
    tick()
    const timer = setInterval(tick, everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
