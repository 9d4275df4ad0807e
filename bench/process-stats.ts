import { readdirSync, readFileSync } from 'node:fs'

/**
 * Sums up all threads of a process; falls back to the clock without /proc. Other load on the machine slows a process
 * down, but does not add to its CPU time.
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
