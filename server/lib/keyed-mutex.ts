interface LongestWait {
  ms: number
  refusal: () => Error
}

/** Runs the tasks of one key one after the other. Refuses a task that has waited longer than the longest wait. */
export class KeyedMutex {
  readonly #tails = new Map<string, Promise<unknown>>()
  readonly #longestWait: LongestWait | undefined

  constructor(longestWait?: LongestWait) {
    this.#longestWait = longestWait
  }

  run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const queuedAt = performance.now()
    const result = (this.#tails.get(key) ?? Promise.resolve()).then(() => {
      if (this.#longestWait && performance.now() - queuedAt > this.#longestWait.ms) throw this.#longestWait.refusal()
      return task()
    })
    const tail = result
      .catch(() => {})
      .finally(() => {
        if (this.#tails.get(key) === tail) this.#tails.delete(key)
      })
    this.#tails.set(key, tail)
    return result
  }

  isLocked(key: string): boolean {
    return this.#tails.has(key)
  }
}
