/** Lets those who ask for the same thing at the same time share one answer. */
export class SingleFlight<T> {
  readonly #flights = new Map<string, Promise<T>>()

  run(key: string, work: () => Promise<T>): Promise<T> {
    const flying = this.#flights.get(key)
    if (flying) return flying
    const flight = work().finally(() => this.#flights.delete(key))
    this.#flights.set(key, flight)
    return flight
  }
}
