import { TurnQueue } from '../../lib/turn-queue.ts'
import { tooManyAtOnce } from '../auth/anonymous-query-queue.ts'

/** Few of a server's ten connections, as a user may have been in thousands of acts on many. */
const AT_ONCE = 2
const MAX_WAITING = 100
const LONGEST_WAIT_MS = 6_000

/** Lets few searches for one user go through the audit at a time. Hosts take turns. */
export class AuditSearchQueue {
  readonly #queue = new TurnQueue(['searches'], {
    concurrency: AT_ONCE,
    maxWaiting: MAX_WAITING,
    longestWaitMs: LONGEST_WAIT_MS,
    full: tooManyAtOnce,
  })

  run<T>(hostId: string | undefined, search: () => Promise<T>): Promise<T> {
    return this.#queue.run('searches', [hostId ?? 'all hosts'], search)
  }
}
