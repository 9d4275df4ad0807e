import type { Deadline } from './deadline.ts'
import { ZoomError } from './errors.ts'

/** Zoom's class of a call, which selects the limit. */
export type RateLabel = 'Light' | 'Medium'
export type ZoomPlan = 'basic' | 'licensed'

/**
 * Zoom counts an account's calls over all apps, so a part is left to others. In any second a bucket lets through its
 * burst plus its rate: 26 of the 30 light calls that Zoom allows a licensed account, 3 of 4 on the Basic plan.
 */
const LIMITS: Record<ZoomPlan, Record<RateLabel, { burst: number; perSecond: number }>> = {
  basic: { Light: { burst: 1, perSecond: 2.5 }, Medium: { burst: 1, perSecond: 1 } },
  licensed: { Light: { burst: 4, perSecond: 22 }, Medium: { burst: 10, perSecond: 8 } },
}
/** Time before a call's deadline that is reserved for Zoom's reply. */
const ANSWER_MS = 1_500
/** Pause after Zoom has refused a call for its limit per second, because other apps count too. */
const PAUSE_MS = 1_000

export interface QueuedCall {
  accountId: string
  plan: ZoomPlan
  label: RateLabel
  hostId: string
}

/** A monotonic clock, unlike the server's. */
interface Timer {
  now(): number
  after(ms: number, act: () => void): void
}

interface Waiter {
  start(): void
}

interface Bucket {
  tokens: number
  at: number
  /** Keyed by host, in round-robin order. Each host's own calls are first in, first out. */
  queues: Map<string, Set<Waiter>>
  isTimerSet: boolean
}

/**
 * A token bucket with a queue, for each account and rate label. The hosts of an account take turns, so that a crowd of
 * calls from one does not block another. A call that would miss its deadline is refused at once.
 */
export class RateQueue {
  readonly #timer: Timer
  readonly #buckets = new Map<string, Bucket>()

  constructor(timer: Timer = { now: () => performance.now(), after: (ms, act) => void setTimeout(act, ms) }) {
    this.#timer = timer
  }

  /** Resolves when the call may be sent. */
  async acquire(call: QueuedCall, deadline: Deadline): Promise<void> {
    const { perSecond } = LIMITS[call.plan][call.label]
    const bucket = this.#refilled(call)
    const ownSize = bucket.queues.get(call.hostId)?.size ?? 0
    const sizes = [...bucket.queues].map(([hostId, { size }]) =>
      hostId === call.hostId ? size : Math.min(size, ownSize + 1),
    )
    const ahead = sizes.reduce((sum, size) => sum + size, 0)
    const wait = ((ahead + 1 - bucket.tokens) / perSecond) * 1000
    if (wait > Math.max(0, deadline.remaining() - ANSWER_MS)) throw busy(wait)

    await new Promise<void>((resolve, reject) => {
      const onDeadline = () => {
        queue.delete(waiter)
        reject(busy(wait))
      }
      const waiter = {
        start() {
          deadline.signal.removeEventListener('abort', onDeadline)
          resolve()
        },
      }
      const queue = bucket.queues.get(call.hostId) ?? new Set<Waiter>()
      bucket.queues.set(call.hostId, queue.add(waiter))
      deadline.signal.addEventListener('abort', onDeadline, { once: true })
      this.#drain(call, bucket)
    })
  }

  /** Call after Zoom has refused a call for coming too fast. */
  pause(call: QueuedCall, ms: number | null): void {
    const bucket = this.#refilled(call)
    bucket.tokens = Math.min(bucket.tokens, 0) - ((ms ?? PAUSE_MS) / 1000) * LIMITS[call.plan][call.label].perSecond
  }

  #drain(call: QueuedCall, bucket: Bucket): void {
    if (bucket.isTimerSet) return
    this.#refill(call, bucket)
    for (;;) {
      const [hostId, queue] = bucket.queues.entries().next().value ?? []
      if (hostId === undefined || queue === undefined) return
      const [waiter] = queue
      if (waiter && bucket.tokens < 1) break
      bucket.queues.delete(hostId)
      if (!waiter) continue
      queue.delete(waiter)
      bucket.queues.set(hostId, queue) // behind the others
      bucket.tokens--
      waiter.start()
    }
    const { perSecond } = LIMITS[call.plan][call.label]
    bucket.isTimerSet = true
    this.#timer.after(Math.ceil(((1 - bucket.tokens) / perSecond) * 1000), () => {
      bucket.isTimerSet = false
      this.#drain(call, bucket)
    })
  }

  #refilled(call: QueuedCall): Bucket {
    const { accountId, plan, label } = call
    const key = `${accountId} ${plan} ${label}`
    const bucket = this.#buckets.get(key) ?? {
      tokens: LIMITS[plan][label].burst,
      at: this.#timer.now(),
      queues: new Map(),
      isTimerSet: false,
    }
    this.#buckets.set(key, bucket)
    this.#refill(call, bucket)
    return bucket
  }

  #refill({ plan, label }: QueuedCall, bucket: Bucket): void {
    const { burst, perSecond } = LIMITS[plan][label]
    const now = this.#timer.now()
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * perSecond)
    bucket.at = now
  }
}

function busy(ms: number): ZoomError {
  return new ZoomError('busy', 'Too many calls are queued for Zoom', { retryAfterMs: ms })
}
