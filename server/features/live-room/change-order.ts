import type { RoomChange } from './room-change.ts'

/** Puts committed changes in the order of their numbers: one that comes early waits for those before it. */
export class ChangeOrder {
  /** Of the last change that was taken, with all before it. */
  number: number
  readonly #early: Map<number, RoomChange[]>

  constructor(number: number, early: [number, RoomChange[]][]) {
    this.number = number
    this.#early = new Map(early)
  }

  early(): [number, RoomChange[]][] {
    return [...this.#early]
  }

  add(number: number, changes: RoomChange[]): void {
    if (number > this.number) this.#early.set(number, changes)
  }

  /** Takes the next one, if it is there. */
  take(): RoomChange[] | undefined {
    const changes = this.#early.get(this.number + 1)
    if (changes) this.#early.delete(++this.number)
    return changes
  }

  /** These are contained in what was read from the database. */
  skipTo(number: number): void {
    this.number = number
    for (const early of this.#early.keys()) if (early <= number) this.#early.delete(early)
  }
}
