import type { Clock } from './clock.ts'

const MAX_KEYS = 50_000

/** By key, the times of what happened within the last `windowMs`. */
export class SlidingWindow {
  readonly #now: Clock
  readonly #windowMs: number
  readonly #times = new Map<string, number[]>()

  constructor(now: Clock, windowMs: number) {
    this.#now = now
    this.#windowMs = windowMs
  }

  add(key: string, at = this.#now()): void {
    this.#times.set(key, [...this.#recent(key), at])
    if (this.#times.size > MAX_KEYS)
      for (const old of this.#times.keys()) if (this.count(old) === 0) this.#times.delete(old)
  }

  count(key: string): number {
    return this.#recent(key).length
  }

  /** Until the oldest of them leaves the window. */
  msUntilNext(key: string): number {
    const [oldest = this.#now()] = this.#recent(key)
    return oldest + this.#windowMs - this.#now()
  }

  #recent(key: string): number[] {
    const from = this.#now() - this.#windowMs
    return (this.#times.get(key) ?? []).filter((at) => at > from)
  }
}
