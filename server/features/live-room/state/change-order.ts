import type { RoomChange } from './room-change.ts'

/** Orders committed changes by their numbers: an early one waits for those before it. */
export class ChangeOrder {
  /** The last change that was taken; all before it were taken too. */
  number: number
  readonly #waiting: Map<number, RoomChange[]>

  constructor(number: number, waiting: [number, RoomChange[]][]) {
    this.number = number
    this.#waiting = new Map(waiting)
  }

  waiting(): [number, RoomChange[]][] {
    return [...this.#waiting]
  }

  add(number: number, changes: RoomChange[]): void {
    if (number > this.number) this.#waiting.set(number, changes)
  }

  /** Takes the next change, if it has arrived. */
  take(): RoomChange[] | undefined {
    const changes = this.#waiting.get(this.number + 1)
    if (changes) this.#waiting.delete(++this.number)
    return changes
  }

  /** Drops the changes that a read of the database already contains. */
  skipTo(number: number): void {
    this.number = number
    for (const waiting of this.#waiting.keys()) if (waiting <= number) this.#waiting.delete(waiting)
  }
}
