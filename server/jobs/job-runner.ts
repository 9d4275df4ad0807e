import type { Deps } from '../deps.ts'
import { KeyedMutex } from '../lib/keyed-mutex.ts'
import type { Job } from './job.ts'

/** Runs jobs at start and then at their intervals, one after the other; long ones beside the others. */
export class JobRunner {
  readonly #deps: Deps
  readonly #mutex = new KeyedMutex()
  readonly #timers: NodeJS.Timeout[] = []
  readonly #queued = new Set<Job>()
  readonly #lastRuns = new Map<Job, Promise<void>>()
  readonly #stop = new AbortController()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  start(jobs: Job[]): void {
    for (const job of jobs) {
      this.#queue(job)
      this.#timers.push(setInterval(() => this.#queue(job), job.every).unref())
    }
  }

  /** All runs that are queued by now have ended. */
  async idle(): Promise<void> {
    await Promise.all(this.#lastRuns.values())
  }

  /** Waits for the steps that run now; the rest is left for the next start. */
  async close(): Promise<void> {
    this.#stop.abort()
    for (const timer of this.#timers) clearInterval(timer)
    await this.idle()
  }

  #queue(job: Job): void {
    if (this.#queued.has(job)) return
    this.#queued.add(job)
    const run = this.#mutex.run(job.isLong ? job.name : 'short jobs', () => this.#run(job))
    this.#lastRuns.set(job, run)
  }

  async #run(job: Job): Promise<void> {
    this.#queued.delete(job)
    if (this.#stop.signal.aborted) return
    const { log } = this.#deps
    try {
      const count = await job.run(this.#deps, this.#stop.signal)
      if (count > 0) log.info({ job: job.name, count }, 'job.done')
    } catch (err) {
      log.error({ err, job: job.name }, 'job.failed')
    }
  }
}
