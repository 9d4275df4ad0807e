import { readdirSync, readFileSync } from 'node:fs'

/**
 * The seconds that a process has had a core for, all its threads together, or the time of day where the system does not
 * tell. What else runs on the machine takes time from a process, and none of its CPU time.
 */
export function cpuSeconds(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    const ns = threads.map((thread) =>
      Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
    )
    return ns.reduce((sum, one) => sum + one, 0) / 1e9
  } catch {
    return performance.now() / 1000
  }
}

/** Of the time that this machine's cores wanted to work since it was called, the share that its host gave to others. */
export function stolenShare(): () => number | null {
  const before = machineTime()
  return () => {
    const after = machineTime()
    if (!before || !after) return null
    const stolen = after.stolen - before.stolen
    return stolen / Math.max(1, after.worked - before.worked + stolen)
  }
}

function machineTime(): { worked: number; stolen: number } | null {
  try {
    const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, stolen = 0] = readFileSync('/proc/stat', 'utf8')
      .split('\n', 1)
      .join()
      .split(/\s+/)
      .slice(1)
      .map(Number)
    return { worked: user + nice + system + irq + softirq, stolen }
  } catch {
    return null // only Linux tells
  }
}
