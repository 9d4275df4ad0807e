/** Measuring every poll would cost as much as answering it. */
const EVERY = 100

/** Times one poll in a hundred, from the arrival of its request to its answer. */
export class PollTimer {
  readonly #observe: (seconds: number) => void
  readonly #arrivals = new WeakMap<object, number>()
  #polls = 0

  constructor(observe: (seconds: number) => void) {
    this.#observe = observe
  }

  /** Call for each request that arrives, polls and others. */
  arrived(response: object): void {
    if (this.#polls >= EVERY - 1) this.#arrivals.set(response, performance.now())
  }

  /** Call when a poll is answered. One that had arrived before its turn was known leaves the turn to the next. */
  answered(response: object): void {
    if (++this.#polls < EVERY) return
    const arrivedAt = this.#arrivals.get(response)
    if (arrivedAt === undefined) return
    this.#polls = 0
    this.#observe((performance.now() - arrivedAt) / 1000)
  }
}
