import type { RoomChange, SharedRoom } from './room-change.ts'

/**
 * Puts what happens in each room into one order, and brings it to every node that holds that room. What a change does
 * is not its business; that is decided by the room, alike on each node.
 */
export interface RoomEngine {
  /**
   * Takes a seat at a room. `begin` gets what the seats taken before share, or null at the first seat, and returns the
   * one that follows from there: changes of the meantime are applied to it before this resolves.
   */
  join<T extends Follower>(roomId: string, begin: (shared: SharedRoom | null) => Promise<T>): Promise<[Seat, T]>
}

/** A node's own copy of a room. */
export interface Follower {
  /** Called with each change in the order that all seats share; `isOwn` at the seat that brought it alone. */
  apply(change: RoomChange, isOwn: boolean): void
  share(): SharedRoom
}

/** One node's place at one room. A seat that has lost the others goes on alone: none of this fails for want of them. */
export interface Seat {
  /** Names this seat among those of the room; the others hear of its end as `seat-lost`. */
  readonly id: string
  /** Resolves when this change has been applied here. */
  append(change: RoomChange): Promise<void>
  /** A sign of life of a phone: too many to be told to all, so they are only remembered. */
  seen(id: string, at: number): void
  /** When each of these phones gave its last sign of life, at whichever seat; without those that never did. */
  lastSeen(ids: string[]): Promise<ReadonlyMap<string, number>>
  leave(): Promise<void>
}
