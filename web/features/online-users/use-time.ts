import { useEffect, useState } from 'react'

/** `performance.now()`, looked at this often while something depends on it; null: not at all. */
export function useTime(everyMs: number | null): number {
  const [now, setNow] = useState(() => performance.now())
  useEffect(() => {
    if (everyMs === null) return
    setNow(performance.now())
    const timer = setInterval(() => setNow(performance.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
