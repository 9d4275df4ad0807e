/** Holds sets by group, each in the order of insertion. No operation costs more where there are more groups. */
export class GroupedSets<T> {
  readonly #sets = new Map<string, Set<T>>()
  /** The names of the groups, at the index of their size. */
  readonly #names: Set<string>[] = []
  #size = 0

  get size(): number {
    return this.#size
  }

  add(group: string, item: T): void {
    const set = this.#sets.get(group) ?? new Set()
    if (set.has(item)) return
    this.#sets.set(group, set)
    set.add(item)
    this.#size++
    this.#move(group, set.size - 1, set.size)
  }

  delete(group: string, item: T): void {
    const set = this.#sets.get(group)
    if (!set?.delete(item)) return
    this.#size--
    if (set.size === 0) this.#sets.delete(group)
    this.#move(group, set.size + 1, set.size)
  }

  /** Returns the oldest item of the largest group. */
  oldestOfLargest(): T | undefined {
    const [largest = ''] = this.#names.at(-1) ?? []
    const [oldest] = this.#sets.get(largest) ?? []
    return oldest
  }

  #move(group: string, before: number, after: number): void {
    this.#names[before]?.delete(group)
    if (after > 0) this.#names[after] = (this.#names[after] ?? new Set()).add(group)
    while (this.#names.at(-1)?.size === 0) this.#names.pop()
  }
}
