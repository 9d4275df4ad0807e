/** All timers of one phone, or of a crowd, so that closing it stops everything. */
export type Schedule = {
  after: (ms: number, run: () => void) => () => void
  /** Resolves with false as soon as the schedule closes or the signal aborts. */
  wait: (ms: number, signal?: AbortSignal) => Promise<boolean>
  close: () => void
}

export function createSchedule(): Schedule {
  const closing = new AbortController()
  const timers = new Set<ReturnType<typeof setTimeout>>()

  function after(ms: number, run: () => void) {
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
  }

  return {
    after,
    wait(ms, signal) {
      return new Promise((resolve) => {
        const ends = signal ? [closing.signal, signal] : [closing.signal]
        const end = (hasPassed: boolean) => {
          cancel()
          for (const one of ends) one.removeEventListener('abort', abort)
          resolve(hasPassed)
        }
        const abort = () => end(false)
        const cancel = after(ms, () => end(true))
        for (const one of ends) one.addEventListener('abort', abort)
        if (ends.some(({ aborted }) => aborted)) abort()
      })
    },
    close() {
      closing.abort()
      for (const timer of timers) clearTimeout(timer)
      timers.clear()
    },
  }
}
