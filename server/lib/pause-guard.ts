import type { Clock } from './clock.ts'
import { SingleFlight } from './single-flight.ts'

/** A process that gives no sign for this long was paused: frozen, suspended, or kept from running. */
const LONGEST_GAP_MS = 3_000

/** Knows whether this process has run all the time. After a pause it has to catch up with what others did meanwhile. */
export class PauseGuard {
  readonly #now: Clock
  readonly #catchUp: () => Promise<number>
  readonly #runs = new SingleFlight<number>()
  #currentUntil = Number.NEGATIVE_INFINITY

  constructor(now: Clock, catchUp: () => Promise<number>) {
    this.#now = now
    this.#catchUp = catchUp
  }

  /** False from the first moment after a pause until `catchUp` has succeeded. Costs a comparison. */
  isCurrent(now: number): boolean {
    return now <= this.#currentUntil
  }

  /** Call each second, whatever else fails. Returns what `catchUp` has returned, if it had to run. */
  async heartbeat(): Promise<number> {
    const now = this.#now()
    if (!this.isCurrent(now)) return this.ensureCurrent()
    this.#currentUntil = now + LONGEST_GAP_MS
    return 0
  }

  /** Throws if catching up fails. Begins again if there was another pause meanwhile. */
  async ensureCurrent(): Promise<number> {
    let count = 0
    while (!this.isCurrent(this.#now())) count += await this.#runs.run('', () => this.#run())
    return count
  }

  async #run(): Promise<number> {
    const from = this.#now()
    const count = await this.#catchUp()
    this.#currentUntil = from + LONGEST_GAP_MS
    return count
  }
}
