import { archiveRecordings } from '../archive/archive-recordings.ts'
import { clearParts, clearTrash } from '../archive/clear-archive.ts'
import type { Deps } from '../deps.ts'
import { renewPasscodes } from '../zoom/meetings/new-passcode.ts'
import { sweepHosts } from '../zoom/meetings/sweep-hosts.ts'
import { sweepLiveRooms } from '../zoom/meetings/sweep-live-rooms.ts'
import { clearOAuthResults } from '../zoom/oauth/clear-oauth-results.ts'
import { purgeDeauthorized } from '../zoom/webhooks/deauthorize-purge.ts'
import { clearZoomEvents } from '../zoom/webhooks/inbox-clear.ts'
import {
  clearAudit,
  clearIdempotencyKeys,
  clearKnownDevices,
  clearOAuthStates,
  clearSessions,
  clearStays,
} from './clear-old.ts'
import { endExpiredSessions } from './end-expired-sessions.ts'
import { endUnheardSessions } from './end-unheard-sessions.ts'
import type { Job } from './job.ts'
import { purgeDeletedHosts } from './purge-deleted-hosts.ts'

export const JOBS: Job[] = [
  endExpiredSessions,
  endUnheardSessions,
  purgeDeletedHosts,
  purgeDeauthorized,
  sweepLiveRooms,
  renewPasscodes,
  sweepHosts,
  clearTrash,
  clearParts,
  clearZoomEvents,
  clearOAuthStates,
  clearOAuthResults,
  clearIdempotencyKeys,
  clearSessions,
  clearKnownDevices,
  clearStays,
  clearAudit,
]

/** What may take hours: it has a row of its own, in which no other job waits. */
export const LONG_JOBS: Job[] = [archiveRecordings]

/** Runs the jobs at start and then at their intervals, one after the other. A fault is logged, and tried again. */
export class Jobs {
  readonly #deps: Deps
  readonly #timers: NodeJS.Timeout[] = []
  readonly #waiting = new Set<Job>()
  #last: Promise<void> = Promise.resolve()
  #isStopping = false

  constructor(deps: Deps) {
    this.#deps = deps
  }

  start(jobs: Job[] = JOBS): void {
    for (const job of jobs) {
      this.#queue(job)
      this.#timers.push(setInterval(() => this.#queue(job), job.every).unref())
    }
  }

  /** What is queued so far has been done. */
  idle(): Promise<void> {
    return this.#last
  }

  /** Waits for the step that is under way; the rest is left for the next start. */
  async close(): Promise<void> {
    this.#isStopping = true
    for (const timer of this.#timers) clearInterval(timer)
    await this.idle()
  }

  #queue(job: Job): void {
    if (this.#waiting.has(job)) return
    this.#waiting.add(job)
    this.#last = this.#last.then(() => this.#run(job))
  }

  async #run(job: Job): Promise<void> {
    this.#waiting.delete(job)
    if (this.#isStopping) return
    const { log } = this.#deps
    try {
      const count = await job.run(this.#deps, () => this.#isStopping)
      if (count > 0) log.info({ job: job.name, count }, 'A job had something to do')
    } catch (error) {
      log.error({ err: error, job: job.name }, 'A job failed; it is tried again')
    }
  }
}
