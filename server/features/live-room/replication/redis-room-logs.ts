import type { Clock } from '../../../lib/clock.ts'
import type { Partition } from '../../../redis/partition.ts'
import type { SharedRedis } from '../../../redis/shared-redis.ts'
import type { StoredRoom } from '../state/roster.ts'
import { RedisRoomLog } from './redis-room-log.ts'
import type { RoomLog, RoomLogs } from './room-log.ts'
import { RoomStore } from './room-store.ts'

const SEND_SEEN_MS = 100
const SEND_STREAMS_MS = 500
const REJOIN_MS = 500
const KEEP_MS = 60_000

/** The logs of rooms that several servers share through Redis. */
export class RedisRoomLogs implements RoomLogs {
  readonly isShared = true
  readonly #shared: SharedRedis
  readonly #onDegraded: (error: unknown) => void
  readonly #now: Clock
  readonly #open = new Map<RedisRoomLog, Partition>()
  readonly #timers: NodeJS.Timeout[]

  constructor(shared: SharedRedis, now: Clock, onDegraded: (error: unknown) => void) {
    this.#shared = shared
    this.#now = now
    this.#onDegraded = onDegraded
    for (const partition of shared.partitions)
      partition.reader.onFault((error) => {
        for (const [log, its] of this.#open) if (its === partition) log.degrade(error)
      })
    this.#timers = [
      setInterval(() => this.#sendSeen(), SEND_SEEN_MS).unref(),
      setInterval(() => this.#sendStreams(), SEND_STREAMS_MS).unref(),
      setInterval(() => this.#rejoin(), REJOIN_MS).unref(),
      setInterval(() => this.#keep(), KEEP_MS).unref(),
    ]
  }

  async open(hostId: string, read: () => Promise<StoredRoom>): Promise<RoomLog> {
    const partition = this.#shared.partitionOf(hostId)
    const store = new RoomStore(partition, hostId)
    const log: RedisRoomLog = await RedisRoomLog.open({
      ...{ store, read, now: this.#now, onDegraded: this.#onDegraded },
      onClose: () => this.#open.delete(log),
    })
    this.#open.set(log, partition)
    return log
  }

  close(): void {
    for (const timer of this.#timers) clearInterval(timer)
  }

  #sendSeen(): void {
    for (const log of this.#open.keys()) void log.sendSeen()
  }

  #sendStreams(): void {
    for (const log of this.#open.keys()) {
      void log.sendStreams()
      void log.shareModerators()
    }
  }

  #rejoin(): void {
    for (const [log, partition] of this.#open) {
      log.checkWaiting()
      if (partition.isConnected && !this.#shared.isForeign) void log.rejoin()
    }
  }

  #keep(): void {
    for (const log of this.#open.keys()) void log.renewExpiry()
  }
}
