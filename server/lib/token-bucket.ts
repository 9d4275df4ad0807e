import { AppError } from '../errors.ts'
import type { Clock } from './clock.ts'

const KEYS = 50_000

interface Limit {
  /** So many at once, where none was taken for a while. */
  burst: number
  perSecond: number
  /** What the caller is told. */
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

  /** Takes some, or throws `too_many` and takes none. */
  take(key: string, count = 1): void {
    const bucket = this.#filled(key)
    if (bucket.tokens < count) {
      const retryAfterSeconds = Math.ceil((count - bucket.tokens) / this.#limit.perSecond)
      throw new AppError('too_many', this.#limit.message, { retryAfterSeconds })
    }
    bucket.tokens -= count
    this.#buckets.set(key, bucket)
    if (this.#buckets.size > KEYS) this.#forgetFull()
  }

  #filled(key: string): Bucket {
    const now = this.#now()
    const { burst, perSecond } = this.#limit
    const { tokens, at } = this.#buckets.get(key) ?? { tokens: burst, at: now }
    return { tokens: Math.min(burst, tokens + (Math.max(0, now - at) / 1000) * perSecond), at: now }
  }

  #forgetFull(): void {
    for (const key of this.#buckets.keys())
      if (this.#filled(key).tokens === this.#limit.burst) this.#buckets.delete(key)
  }
}
