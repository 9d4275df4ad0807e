import { readdirSync, readFileSync } from 'node:fs'

/**
 * Of all threads of a process; the clock's time where there is no /proc. What else runs on the machine takes time from a
 * process, and none of its CPU time.
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

export function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}
