import { AppError } from '../errors.ts'
import type { Bus } from './bus.ts'
import type { Clock } from './clock.ts'

const MAX_KEYS = 50_000

interface Limit {
  /** The same at all servers, which count together. */
  name: string
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
  readonly #bus: Bus
  readonly #limit: Limit
  readonly #buckets = new Map<string, Bucket>()

  constructor({ now, bus }: { now: Clock; bus: Bus }, limit: Limit) {
    this.#now = now
    this.#bus = bus
    this.#limit = limit
    bus.subscribe((message) => {
      if (message.type !== 'tokens-taken' || message.limit !== limit.name) return
      // Given back since. A server that was away gets many of these at once.
      if (now() - message.at > (limit.burst / limit.perSecond) * 1_000) return
      const { at = message.at } = this.#buckets.get(message.key) ?? {}
      const bucket = this.#refill(message.key, Math.max(at, message.at))
      this.#put(message.key, { ...bucket, tokens: bucket.tokens - message.count })
    })
  }

  /** Takes `count` tokens, or throws `too_many` and takes none. */
  take(key: string, count = 1): void {
    const bucket = this.#refill(key, this.#now())
    if (bucket.tokens < count) {
      const retryAfterSeconds = Math.ceil((count - bucket.tokens) / this.#limit.perSecond)
      throw new AppError('too_many', this.#limit.message, { retryAfterSeconds })
    }
    this.#put(key, { ...bucket, tokens: bucket.tokens - count })
    this.#bus.publish({ type: 'tokens-taken', limit: this.#limit.name, key, count, at: bucket.at })
  }

  #put(key: string, bucket: Bucket): void {
    this.#buckets.set(key, bucket)
    if (this.#buckets.size > MAX_KEYS) this.#prune()
  }

  #refill(key: string, now: number): Bucket {
    const { burst, perSecond } = this.#limit
    const { tokens, at } = this.#buckets.get(key) ?? { tokens: burst, at: now }
    return { tokens: Math.min(burst, tokens + (Math.max(0, now - at) / 1000) * perSecond), at: now }
  }

  #prune(): void {
    for (const key of this.#buckets.keys())
      if (this.#refill(key, this.#now()).tokens === this.#limit.burst) this.#buckets.delete(key)
  }
}
