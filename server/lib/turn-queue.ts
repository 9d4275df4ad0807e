import { FairQueue } from './fair-queue.ts'

interface QueuedTurn {
  start(): void
  refuse(): void
}

interface Options {
  concurrency: number
  maxWaiting: number
  /** A call that has waited longer is refused at its turn: its caller may have left. */
  longestWaitMs?: number
  full: () => Error
}

/**
 * Limits concurrent calls. Lanes take turns, and so do the groups within a lane, and those within a group, so that one
 * with many calls delays only itself. In a full lane, the largest group gives up its newest call for a smaller one.
 */
export class TurnQueue<LaneName extends string> {
  readonly #options: Options
  readonly #lanes: [LaneName, FairQueue<QueuedTurn>][]
  #running = 0

  constructor(lanes: LaneName[], options: Options) {
    this.#lanes = lanes.map((name) => [name, new FairQueue()])
    this.#options = options
  }

  /** `groups` are those around the call, the outermost first. Throws `full()` if no place is left to wait, or the wait was too long. */
  async run<T>(lane: LaneName, groups: string[], act: () => Promise<T>): Promise<T> {
    const { concurrency, longestWaitMs = Number.POSITIVE_INFINITY, full } = this.#options
    const queuedAt = performance.now()
    if (this.#running < concurrency) this.#running++
    else await this.#wait(lane, groups)
    try {
      if (performance.now() - queuedAt > longestWaitMs) throw full()
      return await act()
    } finally {
      this.#startNext()
    }
  }

  #wait(name: LaneName, groups: string[]): Promise<void> {
    const lane = this.#lanes.find(([known]) => known === name)?.[1]
    const { maxWaiting, full } = this.#options
    const largest = lane && lane.size >= maxWaiting ? lane.makeRoomFor(groups) : undefined
    largest?.refuse()
    if (!lane || lane.size >= maxWaiting) throw full()
    return new Promise((start, reject) => lane.add(groups, { start, refuse: () => reject(full()) }))
  }

  /** Passes the slot to the next call. */
  #startNext(): void {
    for (const entry of [...this.#lanes]) {
      const next = entry[1].takeNext()
      if (!next) continue
      this.#lanes.push(...this.#lanes.splice(this.#lanes.indexOf(entry), 1))
      next.start()
      return
    }
    this.#running--
  }
}
