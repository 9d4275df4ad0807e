import type { Moderator } from '../../../../shared/moderators.ts'
import type { RoomChange } from '../state/room-change.ts'
import type { RoomSnapshot } from '../state/room-snapshot.ts'
import type { StoredRoom } from '../state/roster.ts'

/** Orders the changes of each room for all servers that have it in memory. */
export interface RoomLogs {
  /** True if other servers may have rooms in memory that this one has not. */
  readonly isShared: boolean
  /** Begins a room from the database, or joins the servers that have it in memory. */
  open(hostId: string, read: () => Promise<StoredRoom>): Promise<RoomLog>
  close(): void
}

/** The people whose consoles have a stream open here. */
interface ModeratorsHere {
  here(): Moderator[]
  /** True if somebody wants to know who moderates elsewhere. */
  readonly isWatched: boolean
}

/** Applies the changes of a log to the room. */
export interface RoomFollower {
  /** `isOwn`: this server appended the change. */
  apply(change: RoomChange, isOwn: boolean): void
  toSnapshot(): RoomSnapshot
  /** The ids of the phones that have a stream open here. */
  streams(): string[]
  moderators(): ModeratorsHere
  /** Receives who moderates at the other servers. */
  moderatorsElsewhere(moderators: readonly Moderator[]): void
  /** Replaces the room's state and starts a new epoch; earlier events are not continued. */
  restart(start: RoomSnapshot): void
  /** Called after reconnecting: republish local presence to the other servers. */
  republish(local: RoomSnapshot): void
}

export interface RoomLog {
  /** The room before the first change that its follower gets. */
  readonly start: RoomSnapshot
  /** False while the room runs without the other servers. */
  readonly isInStep: boolean
  follow(follower: RoomFollower): void
  /** Resolves when this server has applied the change. */
  append(change: RoomChange): Promise<void>
  /** Records a phone's heartbeat at this server. */
  seen(id: string): void
  /** Milliseconds since each phone's last heartbeat on any server. Phones never seen are missing. */
  silenceOf(ids: string[]): Promise<ReadonlyMap<string, number>>
  /** Takes phones offline that have been silent at all servers for `silentMs`. */
  appendOffline(users: { id: string; at: number; silentMs: number }[]): Promise<void>
  /** Resolves when the other servers count this phone, whose stream opens now, as reachable. */
  announceStream(id: string): Promise<void>
  /** Counts the phones that have a stream open at other servers. */
  countStreamsElsewhere(ids: string[]): Promise<number>
  close(): void
}
