import type { LRUCache } from 'lru-cache'
import { boundedCache } from './bounded-cache.ts'
import type { Clock } from './clock.ts'

/** Keeps, for each key, the times of events within the last `windowMs`. */
export class SlidingWindow {
  readonly #now: Clock
  readonly #windowMs: number
  readonly #times: LRUCache<string, number[]>

  constructor(now: Clock, windowMs: number) {
    this.#now = now
    this.#windowMs = windowMs
    this.#times = boundedCache(now, windowMs)
  }

  add(key: string, at = this.#now()): void {
    this.#times.set(key, [...this.#recent(key), at])
  }

  count(key: string): number {
    return this.#recent(key).length
  }

  /** Returns the time until the oldest event leaves the window. */
  msUntilNext(key: string): number {
    const [oldest = this.#now()] = this.#recent(key)
    return oldest + this.#windowMs - this.#now()
  }

  #recent(key: string): number[] {
    const from = this.#now() - this.#windowMs
    return (this.#times.get(key) ?? []).filter((at) => at > from)
  }
}
