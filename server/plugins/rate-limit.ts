import fastifyRateLimit, { type FastifyRateLimitStore } from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { MINUTE_MS } from '../../shared/dates.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { actorKeyOf } from '../features/auth/guards.ts'
import type { Bus } from '../lib/bus.ts'
import type { Clock } from '../lib/clock.ts'
import { SlidingWindow } from '../lib/sliding-window.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The message of a 429, instead of the general one. */
    tooMany?: string
    /** Each server counts for itself: the calls are so frequent that a message for each would cost too much. */
    isCountedAlone?: boolean
  }
}

/** Limits the calls per minute of one host, master or phone, if a route sets `config: { rateLimit: { max } }`. */
export async function limitRates(app: FastifyInstance, { now, bus }: Deps): Promise<void> {
  await app.register(fastifyRateLimit, {
    global: false,
    hook: 'preHandler',
    timeWindow: MINUTE_MS,
    store: storeOn(now, bus),
    keyGenerator: actorKeyOf,
    addHeaders: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
    addHeadersOnExceeding: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
    errorResponseBuilder: ({ routeOptions }, { ttl }) =>
      new AppError(
        'too_many',
        routeOptions.config.tooMany ?? 'Too many requests. Please wait a moment and try again.',
        {
          retryAfterSeconds: Math.ceil(ttl / 1000),
        },
      ),
  })
}

/** Data that the library passes, beyond its declared types. */
const OfRoute = z.object({
  routeInfo: z.object({
    method: z.union([z.string(), z.array(z.string())]),
    url: z.string(),
    config: z.object({ isCountedAlone: z.boolean().optional() }),
  }),
})

/** Replaces the library's store, whose fixed windows admit twice as much at their edges, and which has no clock. */
function storeOn(now: Clock, bus: Bus) {
  const windows = new Map<string, SlidingWindow>()
  const windowOf = (limit: string) => {
    const window = windows.get(limit) ?? new SlidingWindow(now, MINUTE_MS)
    windows.set(limit, window)
    return window
  }
  bus.subscribe((message) => {
    if (message.type === 'call-counted') windowOf(message.limit).add(message.key, message.at)
  })

  return class Store implements FastifyRateLimitStore {
    readonly #limit: string
    readonly #calls: SlidingWindow
    readonly #isCountedAlone: boolean

    constructor(limit: unknown = '', isCountedAlone = false) {
      this.#isCountedAlone = isCountedAlone
      this.#limit = String(limit)
      this.#calls = windowOf(this.#limit)
    }

    incr(name: string, done: Parameters<FastifyRateLimitStore['incr']>[1], _timeWindow: number, max: number): void {
      const key = bus.pseudonym(name)
      const isFull = this.#calls.count(key) >= max
      if (!isFull) {
        this.#calls.add(key)
        if (!this.#isCountedAlone) bus.publish({ type: 'call-counted', limit: this.#limit, key, at: now() })
      }
      done(null, { current: isFull ? max + 1 : this.#calls.count(key), ttl: this.#calls.msUntilNext(key) })
    }

    child(route: unknown): Store {
      const { method, url, config } = OfRoute.parse(route).routeInfo
      // A HEAD costs as much as a GET.
      return new Store(`${method === 'HEAD' ? 'GET' : method} ${url}`, config.isCountedAlone)
    }
  }
}
