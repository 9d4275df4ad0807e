import type { Deadline } from './deadline.ts'
import { ZoomError } from './errors.ts'

/** Zoom's class of a call, by which it limits them. */
export type RateLabel = 'Light' | 'Medium'
export type Plan = 'basic' | 'licensed'

/**
 * Zoom counts an account's calls over all apps, so a part is left to others. In any one second a bucket lets through its
 * burst and its rate together: 26 of the 30 light calls that Zoom allows a licensed account, 3 of 4 on the Basic plan.
 */
const LIMITS: Record<Plan, Record<RateLabel, { burst: number; perSecond: number }>> = {
  basic: { Light: { burst: 1, perSecond: 2.5 }, Medium: { burst: 1, perSecond: 1 } },
  licensed: { Light: { burst: 4, perSecond: 22 }, Medium: { burst: 10, perSecond: 8 } },
}
/** What is left of a call's time for Zoom's answer. */
const ANSWER_MS = 1_500
/** After Zoom has found the calls of a second too many, other apps being busy too. */
const PAUSE_MS = 1_000

/** Whose bucket a call takes from, and who wants it. */
export interface Caller {
  accountId: string
  plan: Plan
  label: RateLabel
  hostId: string
}

/** The time that passes, whatever the clock is set to. */
interface Timer {
  now(): number
  after(ms: number, act: () => void): void
}

interface Waiter {
  enter(): void
}

interface Bucket {
  tokens: number
  at: number
  /** In the order in which the hosts of the account take turns; each host's own calls go first come, first served. */
  queues: Map<string, Set<Waiter>>
  isTimerSet: boolean
}

/**
 * Lets calls through to Zoom no faster than it allows: a token bucket for each account and class, at which calls wait
 * their turn. Hosts of one account take turns, so that the crowd of one does not shut out another. Who could not be
 * answered in time by then is refused at once.
 */
export class CallQueue {
  readonly #timer: Timer
  readonly #buckets = new Map<string, Bucket>()

  constructor(timer: Timer = { now: () => performance.now(), after: (ms, act) => void setTimeout(act, ms) }) {
    this.#timer = timer
  }

  /** Resolves when it is this call's turn. */
  async enter(caller: Caller, deadline: Deadline): Promise<void> {
    const { perSecond } = LIMITS[caller.plan][caller.label]
    const bucket = this.#filled(caller)
    const own = bucket.queues.get(caller.hostId)?.size ?? 0
    const turns = [...bucket.queues].map(([hostId, { size }]) =>
      hostId === caller.hostId ? size : Math.min(size, own + 1),
    )
    const ahead = turns.reduce((sum, size) => sum + size, 0)
    const wait = ((ahead + 1 - bucket.tokens) / perSecond) * 1000
    if (wait > Math.max(0, deadline.left() - ANSWER_MS)) throw busy(wait)

    await new Promise<void>((resolve, reject) => {
      const late = () => {
        queue.delete(waiter)
        reject(busy(wait))
      }
      const waiter = {
        enter() {
          deadline.signal.removeEventListener('abort', late)
          resolve()
        },
      }
      const queue = bucket.queues.get(caller.hostId) ?? new Set<Waiter>()
      bucket.queues.set(caller.hostId, queue.add(waiter))
      deadline.signal.addEventListener('abort', late, { once: true })
      this.#serve(caller, bucket)
    })
  }

  /** Zoom has refused a call for coming too fast: nobody goes for a moment. */
  pause(caller: Caller, ms: number | null): void {
    const bucket = this.#filled(caller)
    bucket.tokens = Math.min(bucket.tokens, 0) - ((ms ?? PAUSE_MS) / 1000) * LIMITS[caller.plan][caller.label].perSecond
  }

  #serve(caller: Caller, bucket: Bucket): void {
    if (bucket.isTimerSet) return
    this.#fill(caller, bucket)
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
      waiter.enter()
    }
    const { perSecond } = LIMITS[caller.plan][caller.label]
    bucket.isTimerSet = true
    this.#timer.after(Math.ceil(((1 - bucket.tokens) / perSecond) * 1000), () => {
      bucket.isTimerSet = false
      this.#serve(caller, bucket)
    })
  }

  #filled(caller: Caller): Bucket {
    const { accountId, plan, label } = caller
    const key = `${accountId} ${plan} ${label}`
    const bucket = this.#buckets.get(key) ?? {
      tokens: LIMITS[plan][label].burst,
      at: this.#timer.now(),
      queues: new Map(),
      isTimerSet: false,
    }
    this.#buckets.set(key, bucket)
    this.#fill(caller, bucket)
    return bucket
  }

  #fill({ plan, label }: Caller, bucket: Bucket): void {
    const { burst, perSecond } = LIMITS[plan][label]
    const now = this.#timer.now()
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * perSecond)
    bucket.at = now
  }
}

function busy(ms: number): ZoomError {
  return new ZoomError('busy', 'Too many calls wait for their turn at Zoom', { retryAfterMs: ms })
}
