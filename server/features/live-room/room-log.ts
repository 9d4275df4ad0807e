import type { RoomChange } from './room-change.ts'
import type { StoredRoom } from './roster.ts'
import type { SharedRoom } from './shared-room.ts'

/** Puts the changes of each room in one order, for all servers that have it in memory. */
export interface RoomLogs {
  /** Whether other servers may have a room in memory that this one has not. */
  readonly isShared: boolean
  /** Begins a room with what the database has, or joins the servers that have it in memory. */
  open(hostId: string, read: () => Promise<StoredRoom>): Promise<RoomLog>
}

export interface RoomLog {
  /** The room before the first change that its follower gets. */
  readonly start: SharedRoom
  follow(apply: (change: RoomChange) => void): void
  /** Resolves when this server has applied the change. */
  append(change: RoomChange): Promise<void>
  /** A phone gave a sign of life here. */
  seen(id: string): void
  /** When these phones gave the last one at other servers, of those that did. */
  lastSeenElsewhere(ids: string[]): Promise<ReadonlyMap<string, number>>
  /** Takes phones offline that have given no sign of life, at any server, since the time that is said of each. */
  appendOffline(users: { id: string; at: number }[]): Promise<void>
  close(): void
}
