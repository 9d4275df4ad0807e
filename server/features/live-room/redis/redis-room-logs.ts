import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { Redis } from 'ioredis'
import { connectBlocking, connectRedis } from '../../../redis/connect.ts'
import type { RoomLog, RoomLogs } from '../room-log.ts'
import type { StoredRoom } from '../roster.ts'
import { RedisRoomLog } from './redis-room-log.ts'
import { BLOCK_MS, RoomReader } from './room-reader.ts'
import { RoomStore } from './room-store.ts'

/** Of the form in which rooms are kept in Redis. A release with another one leaves these keys alone. */
const FORM = 1
const SEND_SEEN_MS = 100
const REJOIN_MS = 500
const KEEP_MS = 60_000

/** The rooms of several servers, by way of Redis. */
export class RedisRoomLogs implements RoomLogs {
  readonly isShared = true
  readonly #node = randomUUID()
  readonly #redis: Redis
  readonly #reader: RoomReader
  readonly #onFault: (error: unknown) => void
  readonly #open = new Map<RedisRoomLog, RoomStore>()
  readonly #timers: NodeJS.Timeout[]

  constructor(url: string, onFault: (error: unknown) => void) {
    this.#onFault = onFault
    this.#redis = connectRedis(url, `parley:${this.#node}`)
    const blocking = connectBlocking(url, `parley:${this.#node}:logs`, BLOCK_MS)
    this.#reader = new RoomReader(blocking, this.#redis, `${keyOf('wake')}:${this.#node}`, (error) => {
      for (const log of this.#open.keys()) log.goAlone(error)
    })
    this.#timers = [
      setInterval(() => this.#sendSeen(), SEND_SEEN_MS).unref(),
      setInterval(() => this.#rejoin(), REJOIN_MS).unref(),
      setInterval(() => this.#keep(), KEEP_MS).unref(),
    ]
  }

  /** The rooms that are opened before begin alone. */
  async connected(): Promise<void> {
    if (this.#redis.status !== 'ready') await once(this.#redis, 'ready')
  }

  async open(hostId: string, read: () => Promise<StoredRoom>): Promise<RoomLog> {
    const store = new RoomStore(keyOf(hostId), this.#redis, this.#reader)
    const log: RedisRoomLog = await RedisRoomLog.open({
      ...{ store, node: this.#node, read, onFault: this.#onFault },
      onClose: () => this.#open.delete(log),
    })
    this.#open.set(log, store)
    return log
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    this.#reader.close()
    this.#redis.disconnect()
  }

  #sendSeen(): void {
    for (const [log, store] of this.#open) if (log.isInStep) store.sendSeen().catch((error) => log.goAlone(error))
  }

  #rejoin(): void {
    if (this.#redis.status !== 'ready' || !this.#reader.isConnected) return
    for (const log of this.#open.keys()) log.rejoin().catch(this.#onFault)
  }

  #keep(): void {
    for (const log of this.#open.keys()) log.keep().catch((error) => log.goAlone(error))
  }
}

/** Keys that one read follows lie in one slot of a Cluster. */
const keyOf = (name: string) => `{parley:${FORM}}:${name}`
