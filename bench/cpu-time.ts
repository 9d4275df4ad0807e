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
