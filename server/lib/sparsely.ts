const EVERY_MS = 10_000

/** Reports the first of many faults at once, and the next at most every ten seconds, with how many there were since. */
export function sparsely(report: (error: unknown, times: number) => void): (error: unknown) => void {
  let reportedAt = Number.NEGATIVE_INFINITY
  let times = 0
  return (error) => {
    times++
    const at = performance.now()
    if (at - reportedAt < EVERY_MS) return
    report(error, times)
    reportedAt = at
    times = 0
  }
}
