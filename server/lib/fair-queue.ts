/**
 * A tree of queues, such as those of networks and, within each, of its addresses. The queues of one level take turns,
 * and the longest gives up its newest item for a shorter one. No operation costs more where there are more queues.
 */
export class FairQueue<T> {
  /** Only the queues without others within hold items. */
  readonly #items: T[] = []
  /** The queues within, in the order of their turns. */
  readonly #queues = new Map<string, FairQueue<T>>()
  /** The names of the queues, at the index of their size. */
  readonly #names: Set<string>[] = []
  #sizeWithin = 0

  get size(): number {
    return this.#items.length + this.#sizeWithin
  }

  has(name: string): boolean {
    return this.#queues.has(name)
  }

  /** `path` names the queue of each level, the outermost first. */
  add([name, ...inner]: string[], item: T): void {
    if (name === undefined) this.#items.push(item)
    else this.#within(name, (queue) => queue.add(inner, item))
  }

  /** Takes the oldest item of the next queue, whose turn is then the last. */
  takeNext(): T | undefined {
    const [name] = this.#queues.keys()
    if (name === undefined) return this.#items.shift()
    const item = this.#within(name, (queue) => queue.takeNext())
    const queue = this.#queues.get(name)
    if (queue && this.#queues.delete(name)) this.#queues.set(name, queue)
    return item
  }

  /** Takes the newest item of the longest queue, unless that of `path` would then be as long. */
  makeRoomFor([name, ...inner]: string[]): T | undefined {
    if (name === undefined) return undefined
    const own = this.#queues.get(name)?.size ?? 0
    const longest = this.#names.length - 1
    if (longest > own + 1) return this.#takeNewest()
    return this.#within(name, (queue) => queue.makeRoomFor(inner))
  }

  remove([name, ...inner]: string[], item: T): void {
    const at = this.#items.indexOf(item)
    if (name !== undefined) this.#within(name, (queue) => queue.remove(inner, item))
    else if (at >= 0) this.#items.splice(at, 1)
  }

  #takeNewest(): T | undefined {
    const [longest] = this.#names.at(-1) ?? []
    return longest === undefined ? this.#items.pop() : this.#within(longest, (queue) => queue.#takeNewest())
  }

  /** Runs what adds or takes one item at most, and keeps the sizes. */
  #within<R>(name: string, act: (queue: FairQueue<T>) => R): R {
    const queue = this.#queues.get(name) ?? new FairQueue<T>()
    const before = queue.size
    const result = act(queue)
    const { size } = queue
    this.#sizeWithin += size - before
    this.#names[before]?.delete(name)
    if (size === 0) this.#queues.delete(name)
    else {
      this.#queues.set(name, queue)
      this.#names[size] = (this.#names[size] ?? new Set()).add(name)
    }
    if (this.#names.at(-1)?.size === 0) this.#names.pop()
    return result
  }
}
