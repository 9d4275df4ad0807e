import { AppError } from '../errors.ts'
import type { Bus } from './bus.ts'
import type { Clock } from './clock.ts'
import { SlidingWindow } from './sliding-window.ts'

interface Limit {
  /** The same at all servers, which count together. */
  name: string
  max: number
  windowMs: number
  message: string
}

/** So many failures within a window for each key: they are counted when they happen, and all calls are refused after that. */
export class FailureLimit {
  readonly #bus: Bus
  readonly #now: Clock
  readonly #limit: Limit
  readonly #failures: SlidingWindow

  constructor({ now, bus }: { now: Clock; bus: Bus }, limit: Limit) {
    this.#now = now
    this.#bus = bus
    this.#limit = limit
    this.#failures = new SlidingWindow(now, limit.windowMs)
    bus.subscribe((message) => {
      if (message.type === 'call-counted' && message.limit === limit.name) this.#failures.add(message.key, message.at)
    })
  }

  /** Throws `too_many` where nothing is left. */
  require(key: string): void {
    if (this.#failures.count(key) < this.#limit.max) return
    const retryAfterSeconds = Math.ceil(this.#failures.msUntilNext(key) / 1000)
    throw new AppError('too_many', this.#limit.message, { retryAfterSeconds })
  }

  count(key: string): void {
    const at = this.#now()
    this.#failures.add(key, at)
    this.#bus.publish({ type: 'call-counted', limit: this.#limit.name, key, at })
  }
}
