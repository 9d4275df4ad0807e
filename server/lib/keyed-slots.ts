import pLimit, { type LimitFunction } from 'p-limit'

interface Slots {
  limit: LimitFunction
  users: number
}

/** Limits concurrent runs for each key. Keeps a key only while something runs or waits for it. */
export class KeyedSlots {
  readonly #slots = new Map<string, Slots>()

  /** Throws `full()` if too many are waiting. The latest call's concurrency applies to all. */
  async run<T>(
    key: string,
    { concurrency, maxWaiting, full }: { concurrency: number; maxWaiting: number; full: () => Error },
    act: () => Promise<T>,
  ): Promise<T> {
    const slots = this.#slots.get(key) ?? { limit: pLimit(concurrency), users: 0 }
    slots.limit.concurrency = concurrency
    if (slots.limit.pendingCount >= maxWaiting) throw full()
    this.#slots.set(key, slots)
    slots.users++
    try {
      return await slots.limit(act)
    } finally {
      if (--slots.users === 0) this.#slots.delete(key)
    }
  }

  countRunning(key: string): number {
    return this.#slots.get(key)?.limit.activeCount ?? 0
  }

  /** Changes the concurrency of the waiting calls, if any. */
  setConcurrency(key: string, concurrency: number): void {
    const slots = this.#slots.get(key)
    if (slots) slots.limit.concurrency = concurrency
  }
}
