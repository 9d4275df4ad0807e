import { newEpoch } from '../state/epoch.ts'
import type { RoomChange } from '../state/room-change.ts'
import { initialRoom, type RoomSnapshot } from '../state/room-snapshot.ts'
import type { RoomFollower, RoomLog, RoomLogs } from './room-log.ts'

/** The logs of a single server, which applies each change at once. */
export const localRoomLogs: RoomLogs = {
  isShared: false,
  open: async (_hostId, read) => new LocalRoomLog(initialRoom(await read(), newEpoch())),
  close: () => {},
}

const NEVER_SEEN: ReadonlyMap<string, number> = new Map()

class LocalRoomLog implements RoomLog {
  readonly start: RoomSnapshot
  readonly isInStep = true
  #follower: RoomFollower | null = null

  constructor(start: RoomSnapshot) {
    this.start = start
  }

  follow(follower: RoomFollower): void {
    this.#follower = follower
  }

  async append(change: RoomChange): Promise<void> {
    this.#follower?.apply(change, true)
  }

  seen(): void {}

  /** Returns nothing: `Presence` itself knows when each phone was last seen. */
  async silenceOf(): Promise<ReadonlyMap<string, number>> {
    return NEVER_SEEN
  }

  appendOffline(users: { id: string; at: number }[]): Promise<void> {
    return this.append({ type: 'offline', users: users.map(({ id, at }) => ({ id, at })) })
  }

  async announceStream(): Promise<void> {}

  async countStreamsElsewhere(): Promise<number> {
    return 0
  }

  close(): void {}
}
