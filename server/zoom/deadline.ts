import { ZoomError } from './errors.ts'

/** The time limit of a whole operation, over all its calls. */
export interface Deadline {
  readonly signal: AbortSignal
  remaining(): number
}

/** The console times out after 15 s. */
export const ZOOM_TIMEOUT_MS = 10_000

export function deadlineIn(ms: number): Deadline {
  const end = performance.now() + ms
  return { signal: AbortSignal.timeout(ms), remaining: () => end - performance.now() }
}

/**
 * Rejects at this call's deadline, though the promise may run longer under a limit of its own, such as a token refresh
 * that calls share.
 */
export function withDeadline<T>(work: Promise<T>, { signal }: Deadline): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new ZoomError('unavailable', 'Zoom took too long', { cause: signal.reason }))
    if (signal.aborted) late()
    signal.addEventListener('abort', late, { once: true })
    work.then(resolve, reject)
  })
}
