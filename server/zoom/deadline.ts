import { ZoomError } from './errors.ts'

/** How long something may take as a whole, whatever calls it is made of. */
export interface Deadline {
  readonly signal: AbortSignal
  left(): number
}

/** The console gives up after 15 s; what asks Zoom has to be done well before. */
export const ZOOM_MS = 10_000

export function within(ms: number): Deadline {
  const end = performance.now() + ms
  return { signal: AbortSignal.timeout(ms), left: () => end - performance.now() }
}

/** Waits for work that has its own time, such as a refresh that others wait for too, no longer than the deadline. */
export function inTime<T>(work: Promise<T>, { signal }: Deadline): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new ZoomError('unavailable', 'Zoom took too long', { cause: signal.reason }))
    if (signal.aborted) late()
    signal.addEventListener('abort', late, { once: true })
    work.then(resolve, reject)
  })
}
