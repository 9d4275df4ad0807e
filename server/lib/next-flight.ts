/** Callers during a run share the next one, because the current run may have read too early. */
export class NextFlight<K> {
  readonly #running = new Map<K, Promise<void>>()
  readonly #next = new Map<K, Promise<void>>()

  run(key: K, work: () => Promise<void>): Promise<void> {
    const running = this.#running.get(key)
    if (!running) return this.#start(key, work)
    const known = this.#next.get(key)
    if (known) return known
    const next = running
      .catch(() => {})
      .then(() => {
        this.#next.delete(key)
        return this.#start(key, work)
      })
    this.#next.set(key, next)
    return next
  }

  #start(key: K, work: () => Promise<void>): Promise<void> {
    const run = work().finally(() => this.#running.delete(key))
    this.#running.set(key, run)
    return run
  }
}
