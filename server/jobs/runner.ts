import type { Deps } from '../deps.ts'
import type { Job } from './job.ts'

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

  start(jobs: Job[]): void {
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
