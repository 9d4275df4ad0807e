import { randomToken } from '../../lib/secrets.ts'
import type { RoomChange } from './room-change.ts'
import type { RoomLog, RoomLogs } from './room-log.ts'
import { beginRoom, type SharedRoom } from './shared-room.ts'

/** For a single server: a change is applied as it comes. */
export const localRoomLogs: RoomLogs = {
  isShared: false,
  open: async (_hostId, read) => new LocalRoomLog(beginRoom(await read(), newEpoch())),
}

/** `-` divides epoch and number in event ids. */
const newEpoch = () => randomToken(6).replaceAll('-', '_')

const NOWHERE_ELSE: ReadonlyMap<string, number> = new Map()

class LocalRoomLog implements RoomLog {
  readonly start: SharedRoom
  #apply: (change: RoomChange) => void = () => {}

  constructor(start: SharedRoom) {
    this.start = start
  }

  follow(apply: (change: RoomChange) => void): void {
    this.#apply = apply
  }

  async append(change: RoomChange): Promise<void> {
    this.#apply(change)
  }

  seen(): void {}

  async lastSeenElsewhere(): Promise<ReadonlyMap<string, number>> {
    return NOWHERE_ELSE
  }

  appendOffline(users: { id: string; at: number }[]): Promise<void> {
    return this.append({ type: 'offline', users })
  }

  close(): void {}
}
