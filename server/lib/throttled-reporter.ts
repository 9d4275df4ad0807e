const EVERY_MS = 10_000

/** Reports the first fault at once, and later ones at intervals, with the number of faults since. */
export function createThrottledReporter<Fault>(
  report: (fault: Fault, times: number) => void,
  everyMs = EVERY_MS,
): (fault: Fault) => void {
  let reportedAt = Number.NEGATIVE_INFINITY
  let times = 0
  return (fault) => {
    times++
    const at = performance.now()
    if (at - reportedAt < everyMs) return
    report(fault, times)
    reportedAt = at
    times = 0
  }
}
