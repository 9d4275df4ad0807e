import { AppError } from '../errors.ts'
import type { Bus } from './bus.ts'
import type { Clock } from './clock.ts'
import { KeyedSlots } from './keyed-slots.ts'
import { SlidingWindow } from './sliding-window.ts'

/** The limit of waiting calls per key. A crowd behind one address is smaller. */
const MAX_WAITING = 1_000

interface Limit {
  /** The same at all servers, which count together. */
  name: string
  max: number
  windowMs: number
  message: string
}

/** Limits the failures of each key within a window, and then refuses all its calls. */
export class FailureLimit {
  readonly #bus: Bus
  readonly #now: Clock
  readonly #limit: Limit
  readonly #failures: SlidingWindow
  readonly #slots = new KeyedSlots()

  constructor({ now, bus }: { now: Clock; bus: Bus }, limit: Limit) {
    this.#now = now
    this.#bus = bus
    this.#limit = limit
    this.#failures = new SlidingWindow(now, limit.windowMs)
    bus.subscribe((message) => {
      if (message.type === 'call-counted' && message.limit === limit.name) this.#failures.add(message.key, message.at)
    })
  }

  /** Throws `too_many` if the limit is used up, or would be if all calls in flight failed. */
  async run<T>(name: string, act: () => Promise<T>, hasFailed: (result: T) => boolean): Promise<T> {
    const key = this.#bus.pseudonym(name)
    const { max } = this.#limit
    const left = max - this.#failures.count(key)
    const slots = { concurrency: Math.max(1, left), maxWaiting: MAX_WAITING, full: () => this.#refusal(1) }
    return this.#slots.run(key, slots, async () => {
      if (this.#failures.count(key) >= max) throw this.#refusal(Math.ceil(this.#failures.msUntilNext(key) / 1000))
      const result = await act()
      if (hasFailed(result)) this.#count(key)
      return result
    })
  }

  #refusal(retryAfterSeconds: number): AppError {
    return new AppError('too_many', this.#limit.message, { retryAfterSeconds })
  }

  #count(key: string): void {
    const at = this.#now()
    this.#failures.add(key, at)
    this.#slots.setConcurrency(key, Math.max(1, this.#limit.max - this.#failures.count(key)))
    this.#bus.publish({ type: 'call-counted', limit: this.#limit.name, key, at })
  }
}
