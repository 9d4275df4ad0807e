import { randomToken } from '../../lib/secrets.ts'
import type { RoomChange, SharedRoom } from './room-change.ts'
import type { Follower, RoomEngine, Seat } from './room-engine.ts'

/** Rooms within one process: a change is applied at all seats before `append` returns. */
export class InProcessEngine implements RoomEngine {
  readonly #tables = new Map<string, Table>()

  join<T extends Follower>(roomId: string, begin: (shared: SharedRoom | null) => Promise<T>): Promise<[Seat, T]> {
    const table = this.#tables.get(roomId) ?? new Table(() => this.#tables.delete(roomId))
    this.#tables.set(roomId, table)
    return table.seatOne(begin)
  }
}

/** All seats at one room. */
class Table {
  readonly seats = new Set<Chair>()
  readonly seenAt = new Map<string, number>()
  readonly #onEmpty: () => void
  #lastSeated: Promise<unknown> = Promise.resolve()

  constructor(onEmpty: () => void) {
    this.#onEmpty = onEmpty
  }

  /** One after the other, so that the second can follow from where the first has come to. */
  seatOne<T extends Follower>(begin: (shared: SharedRoom | null) => Promise<T>): Promise<[Seat, T]> {
    const seat = new Chair(this)
    const seated = this.#lastSeated.then(async (): Promise<[Seat, T]> => {
      const shared = this.#share()
      this.seats.add(seat) // from here on it misses nothing: what happens before it has begun waits for it
      const follower = await begin(shared)
      seat.begin(follower)
      return [seat, follower]
    })
    this.#lastSeated = seated.catch(() => this.remove(seat))
    return seated
  }

  tell(change: RoomChange, from: Chair | null): void {
    for (const seat of this.seats) seat.hear(change, seat === from)
  }

  remove(seat: Chair): void {
    if (!this.seats.delete(seat)) return
    this.tell({ type: 'seat-lost', seat: seat.id }, null)
    if (this.seats.size === 0) this.#onEmpty()
  }

  #share(): SharedRoom | null {
    for (const seat of this.seats) if (seat.follower) return seat.follower.share()
    return null
  }
}

class Chair implements Seat {
  readonly id = randomToken(6)
  follower: Follower | null = null
  readonly #table: Table
  #early: [RoomChange, boolean][] = []

  constructor(table: Table) {
    this.#table = table
  }

  begin(follower: Follower): void {
    this.follower = follower
    for (const [change, isOwn] of this.#early.splice(0)) follower.apply(change, isOwn)
  }

  hear(change: RoomChange, isOwn: boolean): void {
    if (this.follower) this.follower.apply(change, isOwn)
    else this.#early.push([change, isOwn])
  }

  async append(change: RoomChange): Promise<void> {
    this.#table.tell(change, this)
  }

  seen(id: string, at: number): void {
    const { seenAt } = this.#table
    if (at > (seenAt.get(id) ?? 0)) seenAt.set(id, at)
  }

  async lastSeen(ids: string[]): Promise<ReadonlyMap<string, number>> {
    const { seenAt } = this.#table
    return new Map(ids.flatMap((id): [string, number][] => [[id, seenAt.get(id) ?? 0]]).filter(([, at]) => at > 0))
  }

  async leave(): Promise<void> {
    this.#table.remove(this)
  }
}
