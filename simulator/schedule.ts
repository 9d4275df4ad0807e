import { setTimeout as delay } from 'node:timers/promises'

/** All timers of a crowd, so that closing it stops everything. */
export type Schedule = {
  after: (ms: number, run: () => void) => () => void
  /** Resolves with false as soon as the schedule closes or the signal aborts. */
  wait: (ms: number, signal?: AbortSignal) => Promise<boolean>
  close: () => void
}

export function createSchedule(): Schedule {
  const closing = new AbortController()
  const timers = new Set<NodeJS.Timeout>()

  return {
    after(ms, run) {
      if (closing.signal.aborted) return () => {}
      const timer = setTimeout(() => {
        timers.delete(timer)
        run()
      }, ms)
      timers.add(timer)
      return () => {
        timers.delete(timer)
        clearTimeout(timer)
      }
    },
    wait(ms, signal) {
      const ends = signal ? AbortSignal.any([closing.signal, signal]) : closing.signal
      return delay(ms, true, { signal: ends }).catch(() => false)
    },
    close() {
      closing.abort()
      for (const timer of timers) clearTimeout(timer)
      timers.clear()
    },
  }
}
