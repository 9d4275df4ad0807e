import { SEAT_TURN_MS } from '../../shared/seat.ts'
import type { Settlement, Urgency } from './seat-driver.ts'

type Callbacks = { success: (answer: unknown) => void; error: (answer: unknown) => void }

/** Zoom answers a call that it has sent within this time, and never one that it has dropped. */
const SENT_WITHIN_MS = 500
/** Zoom's program is asked for its list of people when no event has shown the result by then. */
const REFRESH_AFTER_MS = 1_500
const RANK: Record<Urgency, number> = { command: 0, voice: 1, open: 2 }

export interface LimitedOrder {
  /** A newer order for the same subject replaces one that still waits. */
  subject: number | 'all'
  wish: string
  urgency: Urgency
  isWanted: () => boolean
  call: (callbacks: Callbacks) => unknown
  /** Null while the list of people does not show the result. */
  result: () => Settlement | null
  onSent?: () => void
  isDoneWhenSent?: boolean
  /** The time after sending in which the list must show the result. */
  proofMs: number
  /** An order that could not be sent within this time of its turn fails instead of surprising somebody later. */
  waitMs: number
}

interface Entry {
  order: LimitedOrder
  settle: (settlement: Settlement) => void
  expiresAt: number
  /** The same as a time of day: the page's own clock stands still on some machines while they sleep. */
  expiresOn: number
  isRepeated: boolean
  timers: Set<ReturnType<typeof setTimeout>>
}

/**
 * The calls of one of Zoom's functions. Zoom drops calls within the function's limit without an answer, and answers the
 * others when they are sent, so that only the list of people can show that something was done.
 */
export class CallQueue {
  readonly #intervalMs: number
  readonly #onDoubt: () => void
  #waiting: Entry[] = []
  readonly #sent = new Set<Entry>()
  #mayCallAt = Number.NEGATIVE_INFINITY
  #isReady = false
  #turn: ReturnType<typeof setTimeout> | undefined

  /** `onDoubt` has the list of people read again. */
  constructor(intervalMs: number, onDoubt: () => void) {
    this.#intervalMs = intervalMs
    this.#onDoubt = onDoubt
  }

  add(order: LimitedOrder): Promise<Settlement> {
    return new Promise((resolve) => {
      const same = [...this.#sent].find((entry) => isSame(entry.order, order) && entry.order.wish === order.wish)
      if (same) {
        same.settle = both(same.settle, resolve)
        return
      }
      const waitMs = order.waitMs + Math.min(this.#waiting.length * this.#intervalMs, SEAT_TURN_MS)
      this.#put({ order, settle: resolve, ...expiryIn(waitMs), isRepeated: false, timers: new Set() })
      this.#advance()
    })
  }

  /** Calls Zoom only while it is connected. */
  setReady(isReady: boolean): void {
    this.#isReady = isReady
    this.#advance()
  }

  /** Settles what the list of people shows by now, and goes on. Runs at each change, as timers of hidden pages are slow. */
  check(): void {
    for (const entry of [...this.#sent]) this.#settleByList(entry)
    this.#advance()
  }

  stage(subject: number | 'all', wish: string): 'waiting' | 'sent' | null {
    const isMeant = ({ order }: Entry) => order.subject === subject && order.wish === wish
    if ([...this.#sent].some(isMeant)) return 'sent'
    return this.#waiting.some(isMeant) ? 'waiting' : null
  }

  endAll(settlement: Settlement): void {
    clearTimeout(this.#turn)
    for (const entry of [...this.#sent, ...this.#waiting]) this.#end(entry, settlement)
  }

  #put(entry: Entry): void {
    const older = this.#waiting.find(({ order }) => isSame(order, entry.order))
    if (older) {
      this.#waiting = this.#waiting.filter((one) => one !== older)
      if (older.order.wish === entry.order.wish) merge(entry, older)
      else older.settle({ outcome: 'refused' })
    }
    this.#waiting.push(entry)
  }

  #advance(): void {
    const now = performance.now()
    for (const entry of [...this.#waiting]) {
      const settlement = entry.order.isWanted() ? entry.order.result() : ({ outcome: 'refused' } as const)
      if (settlement) this.#end(entry, settlement)
      else if (entry.expiresAt <= now || entry.expiresOn <= Date.now()) this.#end(entry, { outcome: 'timeout' })
    }
    if (this.#isReady && now >= this.#mayCallAt) this.#callNext(now)
    this.#schedule()
  }

  #callNext(now: number): void {
    const [next] = this.#waiting.toSorted((a, b) => RANK[a.order.urgency] - RANK[b.order.urgency])
    if (!next) return
    this.#waiting = this.#waiting.filter((entry) => entry !== next)
    this.#mayCallAt = now + this.#intervalMs
    this.#sent.add(next)
    this.#after(next, SENT_WITHIN_MS, () => this.#repeat(next))
    next.order.onSent?.()
    const refuse = (answer: unknown) =>
      this.#sent.has(next) && this.#end(next, { outcome: 'refused', ...codeOf(answer) })
    try {
      next.order.call({ success: () => this.#confirmSent(next), error: refuse })
    } catch (error) {
      refuse(error)
    }
  }

  #schedule(): void {
    clearTimeout(this.#turn)
    if (this.#waiting.length === 0) return
    const expiries = this.#waiting.map(({ expiresAt }) => expiresAt)
    const at = Math.min(...expiries, this.#isReady ? this.#mayCallAt : Number.POSITIVE_INFINITY)
    if (Number.isFinite(at)) this.#turn = setTimeout(() => this.#advance(), Math.max(0, at - performance.now()))
  }

  #confirmSent(entry: Entry) {
    if (!this.#sent.has(entry)) return
    clearTimers(entry)
    if (entry.order.isDoneWhenSent) return this.#end(entry, { outcome: 'done' })
    this.#after(entry, REFRESH_AFTER_MS, this.#onDoubt)
    this.#after(entry, entry.order.proofMs, () => this.#end(entry, { outcome: 'timeout' }))
    this.#settleByList(entry)
  }

  /** Tries a dropped call once more, unless a newer order has taken its place. */
  #repeat(entry: Entry): void {
    this.#sent.delete(entry)
    clearTimers(entry)
    const newer = this.#waiting.find(({ order }) => isSame(order, entry.order))
    if (newer?.order.wish === entry.order.wish) newer.settle = both(newer.settle, entry.settle)
    else if (newer) entry.settle({ outcome: 'refused' })
    else if (entry.isRepeated) entry.settle(entry.order.result() ?? { outcome: 'dropped-by-zoom' })
    else this.#waiting.unshift({ ...entry, isRepeated: true, ...expiryIn(entry.order.waitMs) })
    this.#advance()
  }

  #settleByList(entry: Entry): void {
    const settlement = entry.order.result()
    if (settlement) this.#end(entry, settlement)
  }

  #end(entry: Entry, settlement: Settlement): void {
    this.#sent.delete(entry)
    this.#waiting = this.#waiting.filter((one) => one !== entry)
    clearTimers(entry)
    entry.settle(settlement)
  }

  #after(entry: Entry, ms: number, run: () => void): void {
    entry.timers.add(setTimeout(run, ms))
  }
}

const expiryIn = (ms: number) => ({ expiresAt: performance.now() + ms, expiresOn: Date.now() + ms })

const isSame = (one: LimitedOrder, other: LimitedOrder) => one.subject === other.subject

const both = (one: Entry['settle'], other: Entry['settle']) => (settlement: Settlement) => {
  one(settlement)
  other(settlement)
}

/** The older order settles with the newer one, which keeps its place and what made it wanted. */
function merge(newer: Entry, older: Entry): void {
  const { order } = newer
  const isWanted = older.order.isWanted
  newer.settle = both(newer.settle, older.settle)
  newer.isRepeated = older.isRepeated
  newer.expiresAt = Math.max(newer.expiresAt, older.expiresAt)
  newer.expiresOn = Math.max(newer.expiresOn, older.expiresOn)
  newer.order = {
    ...order,
    urgency: RANK[older.order.urgency] < RANK[order.urgency] ? older.order.urgency : order.urgency,
    isWanted: () => order.isWanted() || isWanted(),
  }
}

function clearTimers({ timers }: Entry): void {
  for (const timer of timers) clearTimeout(timer)
  timers.clear()
}

function codeOf(answer: unknown): { code?: number } {
  const code = typeof answer === 'object' && answer !== null && 'errorCode' in answer ? answer.errorCode : undefined
  return typeof code === 'number' ? { code } : {}
}
