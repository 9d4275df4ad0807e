import type { RoomChange } from './room-change.ts'
import type { StoredRoom } from './roster.ts'
import type { SharedRoom } from './shared-room.ts'

/** Puts the changes of each room in one order, for all servers that have it in memory. */
export interface RoomLogs {
  /** Whether other servers may have a room in memory that this one has not. */
  readonly isShared: boolean
  /** Begins a room with what the database has, or joins the servers that have it in memory. */
  open(hostId: string, read: () => Promise<StoredRoom>): Promise<RoomLog>
  close(): void
}

/** What a room makes of its log. */
export interface RoomFollower {
  /** `isOwn`: it was appended here. */
  apply(change: RoomChange, isOwn: boolean): void
  share(): SharedRoom
  /** The ids of the phones that have a stream open here. */
  streams(): string[]
  /** The room goes on from this, in an epoch of its own: what it published before is not continued. */
  restart(start: SharedRoom): void
  /** The room is in step again: what happened here while it was alone is said to the others. */
  repeat(alone: SharedRoom): void
}

export interface RoomLog {
  /** The room before the first change that its follower gets. */
  readonly start: SharedRoom
  /** False while the room goes on without the other servers. */
  readonly isInStep: boolean
  follow(follower: RoomFollower): void
  /** Resolves when this server has applied the change. */
  append(change: RoomChange): Promise<void>
  /** A phone gave a sign of life here. */
  seen(id: string): void
  /** For how many ms these phones have been silent at all servers, as far as they ever gave a sign of life. */
  silenceOf(ids: string[]): Promise<ReadonlyMap<string, number>>
  /** Takes phones offline that have been silent at all servers for so many ms. */
  appendOffline(users: { id: string; at: number; silentMs: number }[]): Promise<void>
  /** Resolves when other servers count this phone as one that has a stream open, which opens now. */
  announceStream(id: string): Promise<void>
  /** How many of these phones have a stream open at other servers. */
  countStreamsElsewhere(ids: string[]): Promise<number>
  close(): void
}
