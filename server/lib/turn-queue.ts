interface Waiting {
  start(): void
  refuse(): void
}

/** Waiting calls, by group. */
class Lane {
  size = 0
  readonly #groups = new Map<string, Waiting[]>()

  add(group: string, waiting: Waiting): void {
    this.#groups.set(group, [...this.#of(group), waiting])
    this.size++
  }

  /** Takes the oldest call of the next group, which then goes to the end. */
  take(): Waiting | undefined {
    const [first] = this.#groups
    if (!first) return undefined
    const [group, [next, ...rest]] = first
    this.#groups.delete(group)
    if (rest.length > 0) this.#groups.set(group, rest)
    this.size--
    return next
  }

  /** Refuses the newest call of the largest group; returns false if this group would then be as large. */
  makeRoomFor(group: string): boolean {
    const [longest = ''] = [...this.#groups.keys()].toSorted((a, b) => this.#of(b).length - this.#of(a).length)
    const waiting = this.#of(longest)
    if (waiting.length <= this.#of(group).length + 1) return false
    this.#groups.set(longest, waiting.slice(0, -1))
    this.size--
    waiting.at(-1)?.refuse()
    return true
  }

  #of(group: string): Waiting[] {
    return this.#groups.get(group) ?? []
  }
}

/**
 * Limits concurrent calls. Lanes take turns, and so do the groups within a lane, so that a group with many calls delays
 * only itself. In a full lane, the largest group gives up its newest call for a smaller group.
 */
export class TurnQueue<LaneName extends string> {
  readonly #options: { concurrency: number; maxWaiting: number; full: () => Error }
  readonly #lanes: [LaneName, Lane][]
  #running = 0

  constructor(lanes: LaneName[], options: { concurrency: number; maxWaiting: number; full: () => Error }) {
    this.#lanes = lanes.map((name) => [name, new Lane()])
    this.#options = options
  }

  /** Throws `full()` if no place is left to wait. */
  async run<T>(lane: LaneName, group: string, act: () => Promise<T>): Promise<T> {
    if (this.#running < this.#options.concurrency) this.#running++
    else await this.#wait(lane, group)
    try {
      return await act()
    } finally {
      this.#startNext()
    }
  }

  #wait(name: LaneName, group: string): Promise<void> {
    const lane = this.#lanes.find(([known]) => known === name)?.[1]
    const { maxWaiting, full } = this.#options
    if (!lane || (lane.size >= maxWaiting && !lane.makeRoomFor(group))) throw full()
    return new Promise((start, reject) => lane.add(group, { start, refuse: () => reject(full()) }))
  }

  /** Passes the slot to the next call. */
  #startNext(): void {
    for (const entry of [...this.#lanes]) {
      const next = entry[1].take()
      if (!next) continue
      this.#lanes.push(...this.#lanes.splice(this.#lanes.indexOf(entry), 1))
      next.start()
      return
    }
    this.#running--
  }
}
