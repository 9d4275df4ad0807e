import type { LRUCache } from 'lru-cache'
import { MINUTE_MS } from '../../shared/dates.ts'
import { AppError } from '../errors.ts'
import { boundedCache } from './bounded-cache.ts'
import type { Bus } from './bus.ts'
import type { Clock } from './clock.ts'

interface Limit {
  /** Servers add up their counts for limits of the same name. */
  name: string
  burst: number
  perSecond: number
  message: string
}

interface Bucket {
  tokens: number
  at: number
}

/** A token bucket per key. */
export class TokenBuckets {
  readonly #now: Clock
  readonly #bus: Bus
  readonly #limit: Limit
  /** A bucket that is unused for this long is full. */
  readonly #refillMs: number
  readonly #buckets: LRUCache<string, Bucket>

  constructor({ now, bus }: { now: Clock; bus: Bus }, limit: Limit) {
    this.#now = now
    this.#bus = bus
    this.#limit = limit
    this.#refillMs = (limit.burst / limit.perSecond) * 1_000
    this.#buckets = boundedCache(now, this.#refillMs)
    bus.subscribe((message) => {
      if (message.type !== 'tokens-taken' || message.limit !== limit.name) return
      // Refilled since. A server that was disconnected gets many of these at once.
      if (now() - message.at > this.#refillMs) return
      const { at = message.at } = this.#buckets.get(message.key) ?? {}
      const bucket = this.#refill(message.key, Math.max(at, message.at))
      this.#buckets.set(message.key, { ...bucket, tokens: bucket.tokens - message.count })
    })
  }

  /** Throws `too_many` unless `count` tokens are available. */
  require(key: string, count = 1): Bucket {
    return this.#require(this.#bus.pseudonym(key), count)
  }

  #require(key: string, count: number): Bucket {
    const bucket = this.#refill(key, this.#now())
    if (bucket.tokens >= count) return bucket
    const retryAfterSeconds = Math.ceil((count - bucket.tokens) / this.#limit.perSecond)
    throw new AppError('too_many', this.#limit.message, { retryAfterSeconds })
  }

  has(key: string): boolean {
    return this.#refill(key, this.#now()).tokens >= 1
  }

  /** Takes `count` tokens if they are available. */
  tryTake(name: string, count: number): boolean {
    if (this.#refill(this.#bus.pseudonym(name), this.#now()).tokens < count) return false
    this.take(name, count)
    return true
  }

  /** Takes `count` tokens, or throws `too_many` and takes none. */
  take(name: string, count = 1): void {
    const key = this.#bus.pseudonym(name)
    const bucket = this.#require(key, count)
    this.#buckets.set(key, { ...bucket, tokens: bucket.tokens - count })
    const lasts = this.#refillMs > MINUTE_MS
    this.#bus.publish({ type: 'tokens-taken', limit: this.#limit.name, key, count, at: bucket.at, lasts })
  }

  #refill(key: string, now: number): Bucket {
    const { burst, perSecond } = this.#limit
    const { tokens, at } = this.#buckets.get(key) ?? { tokens: burst, at: now }
    return { tokens: Math.min(burst, tokens + (Math.max(0, now - at) / 1000) * perSecond), at: now }
  }
}
