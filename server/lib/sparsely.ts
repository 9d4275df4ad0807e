const EVERY_MS = 10_000

/** Reports the first of many faults at once, and the next at most every so often, with how many there were since. */
export function sparsely<Fault>(
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
