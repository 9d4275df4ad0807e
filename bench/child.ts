import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

/** A child process, so that the load shares no event loop with the measured code. */
export class Child {
  readonly pid: number
  readonly #process: ChildProcess
  readonly #ended: Promise<never>

  constructor(file: string) {
    this.#process = fork(new URL(file, import.meta.url))
    this.pid = this.#process.pid ?? 0
    this.#ended = once(this.#process, 'exit').then(([code]) => Promise.reject(new Error(`${file} ended with ${code}`)))
    this.#ended.catch(() => {})
  }

  /** Runs one job at a time. */
  async run(job: object): Promise<number> {
    this.#process.send(job)
    const [result] = await Promise.race([once(this.#process, 'message'), this.#ended])
    return result
  }

  async end(): Promise<void> {
    this.#process.kill('SIGKILL')
    await this.#ended.catch(() => {})
  }
}

/** Runs in the child, which exits on a failed job or when the parent does. */
export function runJobs(work: (job: unknown) => Promise<number>): void {
  process.on('message', async (job) => process.send?.(await work(job)))
  process.on('disconnect', () => process.exit())
}
