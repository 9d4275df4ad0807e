import type { RoomChange } from './room-change.ts'

/** Orders committed changes by their numbers: an early one waits for those before it. */
export class ChangeOrder {
  /** The last change that was taken; all before it were taken too. */
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

  /** Takes the next change, if it has arrived. */
  take(): RoomChange[] | undefined {
    const changes = this.#early.get(this.number + 1)
    if (changes) this.#early.delete(++this.number)
    return changes
  }

  /** Drops the changes that a read of the database already contains. */
  skipTo(number: number): void {
    this.number = number
    for (const early of this.#early.keys()) if (early <= number) this.#early.delete(early)
  }
}
