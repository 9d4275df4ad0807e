import type { Deps } from '../deps.ts'
import { KeyedMutex } from '../lib/keyed-mutex.ts'
import { withoutRequestId } from '../lib/logger.ts'
import type { Job } from './job.ts'

/** Runs jobs at start and then at their intervals, one after the other. Long jobs run in parallel. */
export class JobRunner {
  #deps: Deps | null = null
  readonly #mutex = new KeyedMutex()
  readonly #timers: NodeJS.Timeout[] = []
  readonly #queued = new Set<Job>()
  readonly #lastRuns = new Map<Job, Promise<void>>()
  readonly #stop = new AbortController()

  async start(deps: Deps, jobs: Job[]): Promise<void> {
    this.#deps = deps
    // Only the embedded database is certain to have no other process.
    if (!deps.config.DATABASE_URL) for (const { leases } of jobs) await leases?.releaseStale(deps.db)
    for (const job of jobs) {
      deps.metrics.expectJob(job.name, job.every)
      this.wake(job)
      this.#timers.push(setInterval(() => this.wake(job), job.every).unref())
    }
  }

  /** Runs the job as soon as possible, in addition to its interval. */
  wake(job: Job): void {
    if (this.#queued.has(job)) return
    this.#queued.add(job)
    const lane = job.isLong ? job.name : 'short jobs'
    const run = withoutRequestId(() => this.#mutex.run(lane, () => this.#run(job)))
    this.#lastRuns.set(job, run)
  }

  /** Resolves when the queued runs have ended, of all jobs or of one. */
  async idle(job?: Job): Promise<void> {
    await Promise.all(job ? [this.#lastRuns.get(job)] : this.#lastRuns.values())
  }

  /** Waits for the running steps. The rest is left for the next start. */
  async close(): Promise<void> {
    this.#stop.abort()
    for (const timer of this.#timers) clearInterval(timer)
    await this.idle()
  }

  async #run(job: Job): Promise<void> {
    this.#queued.delete(job)
    if (!this.#deps || this.#stop.signal.aborted) return
    const { log, metrics } = this.#deps
    try {
      const count = await job.run(this.#deps, this.#stop.signal)
      metrics.countJob(job.name, true)
      if (count > 0) log.info({ job: job.name, count }, 'job.done')
    } catch (err) {
      metrics.countJob(job.name, false)
      log.error({ err, job: job.name }, 'job.failed')
    }
  }
}
