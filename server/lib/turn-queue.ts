import { FairQueue } from './fair-queue.ts'

interface QueuedTurn {
  start(): void
  refuse(): void
}

/**
 * Limits concurrent calls. Lanes take turns, and so do the groups within a lane, and those within a group, so that one
 * with many calls delays only itself. In a full lane, the largest group gives up its newest call for a smaller one.
 */
export class TurnQueue<LaneName extends string> {
  readonly #options: { concurrency: number; maxWaiting: number; full: () => Error }
  readonly #lanes: [LaneName, FairQueue<QueuedTurn>][]
  #running = 0

  constructor(lanes: LaneName[], options: { concurrency: number; maxWaiting: number; full: () => Error }) {
    this.#lanes = lanes.map((name) => [name, new FairQueue()])
    this.#options = options
  }

  /** `groups` are those around the call, the outermost first. Throws `full()` if no place is left to wait. */
  async run<T>(lane: LaneName, groups: string[], act: () => Promise<T>): Promise<T> {
    if (this.#running < this.#options.concurrency) this.#running++
    else await this.#wait(lane, groups)
    try {
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
