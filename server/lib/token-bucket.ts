import { AppError } from '../errors.ts'
import type { Clock } from './clock.ts'

const MAX_KEYS = 50_000

interface Limit {
  burst: number
  perSecond: number
  message: string
}

interface Bucket {
  tokens: number
  at: number
}

/** A token bucket for each key. */
export class TokenBuckets {
  readonly #now: Clock
  readonly #limit: Limit
  readonly #buckets = new Map<string, Bucket>()

  constructor(now: Clock, limit: Limit) {
    this.#now = now
    this.#limit = limit
  }

  /** Takes `count` tokens, or throws `too_many` and takes none. */
  take(key: string, count = 1): void {
    const bucket = this.#refill(key)
    if (bucket.tokens < count) {
      const retryAfterSeconds = Math.ceil((count - bucket.tokens) / this.#limit.perSecond)
      throw new AppError('too_many', this.#limit.message, { retryAfterSeconds })
    }
    bucket.tokens -= count
    this.#buckets.set(key, bucket)
    if (this.#buckets.size > MAX_KEYS) this.#prune()
  }

  #refill(key: string): Bucket {
    const now = this.#now()
    const { burst, perSecond } = this.#limit
    const { tokens, at } = this.#buckets.get(key) ?? { tokens: burst, at: now }
    return { tokens: Math.min(burst, tokens + (Math.max(0, now - at) / 1000) * perSecond), at: now }
  }

  #prune(): void {
    for (const key of this.#buckets.keys())
      if (this.#refill(key).tokens === this.#limit.burst) this.#buckets.delete(key)
  }
}
