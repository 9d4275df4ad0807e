import { AppError } from '../../errors.ts'
import { addressPath } from '../../lib/address-group.ts'
import { TurnQueue } from '../../lib/turn-queue.ts'

/** Less than half of the connections to the database: the others are left to those who have signed in. */
const AT_ONCE = 4
/** Lets a hall of people open the app at once. */
const MAX_WAITING = 500
const LONGEST_WAIT_MS = 6_000

/** Lets few queries run at a time that anybody can cause without an account. Networks take turns. */
export class AnonymousQueryQueue {
  readonly #queue = new TurnQueue(['strangers'], {
    concurrency: AT_ONCE,
    maxWaiting: MAX_WAITING,
    longestWaitMs: LONGEST_WAIT_MS,
    full: tooManyAtOnce,
  })

  run<T>(ip: string, query: () => Promise<T>): Promise<T> {
    return this.#queue.run('strangers', addressPath(ip), query)
  }
}

export function tooManyAtOnce(): AppError {
  return new AppError('busy', 'Too many requests are queued. Please try again.', { retryAfterSeconds: 2 })
}
