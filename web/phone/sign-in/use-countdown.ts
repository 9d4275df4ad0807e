import { useEffect, useState } from 'react'

/** Counts down the seconds until the next permitted attempt. */
export function useCountdown(): [secondsLeft: number, wait: (seconds: number) => void] {
  const [left, setLeft] = useState(0)
  useEffect(() => {
    if (left <= 0) return
    const timer = setTimeout(() => setLeft(left - 1), 1000)
    return () => clearTimeout(timer)
  }, [left])
  return [left, setLeft]
}
