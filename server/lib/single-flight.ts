/** Shares one run among concurrent callers of the same key. */
export class SingleFlight<T> {
  readonly #flights = new Map<string, Promise<T>>()

  run(key: string, work: () => Promise<T>): Promise<T> {
    const running = this.#flights.get(key)
    if (running) return running
    const flight = work().finally(() => this.#flights.delete(key))
    this.#flights.set(key, flight)
    return flight
  }
}
