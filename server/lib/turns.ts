/** Lets works of the same key come one after the other: each sees what the one before it has left. */
export class Turns {
  readonly #last = new Map<string, Promise<void>>()

  take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const mine = (this.#last.get(key) ?? Promise.resolve()).then(work)
    const settled = mine.then(
      () => {},
      () => {},
    )
    this.#last.set(key, settled)
    void settled.then(() => {
      if (this.#last.get(key) === settled) this.#last.delete(key)
    })
    return mine
  }
}
