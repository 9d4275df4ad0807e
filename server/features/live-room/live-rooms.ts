import type { Db } from '../../db/client.ts'
import { AppError } from '../../errors.ts'
import { KeyedMutex } from '../../lib/keyed-mutex.ts'
import { CatchUp, waitFor } from './catch-up.ts'
import { LiveRoom, type LiveRoomOptions } from './live-room.ts'
import type { RoomChange } from './room-change.ts'
import type { RoomLogs } from './room-log.ts'
import { type RosterEntry, readStoredRoom } from './roster.ts'

/** Together with the change itself this stays within the 15 s that a console waits. */
const LONGEST_WAIT_MS = 5_000

export interface LiveRoomsOptions extends LiveRoomOptions {
  logs: RoomLogs
  /** Users went offline: the database has to learn when they were last seen. */
  saveLastSeen: (room: LiveRoom, users: RosterEntry[]) => Promise<void>
}

/** The rooms in memory: those that consoles and phones use. */
export class LiveRooms {
  readonly #db: Db
  readonly #options: LiveRoomsOptions
  readonly #rooms = new Map<string, Promise<LiveRoom>>()
  readonly #loaded = new Map<string, LiveRoom>()
  readonly #usedAt = new Map<string, number>()
  /** The change that a room lacked at the last sweep. */
  readonly #lacking = new Map<string, number>()
  readonly #mutex = new KeyedMutex({
    ms: LONGEST_WAIT_MS,
    refusal: () => new AppError('busy', 'The room is busy. Please try again.'),
  })
  readonly #catchUp: CatchUp
  readonly #timer: NodeJS.Timeout
  #isSweeping = false

  constructor(db: Db, options: LiveRoomsOptions) {
    this.#db = db
    this.#options = options
    this.#catchUp = new CatchUp(db)
    this.#timer = setInterval(() => {
      if (!this.#isSweeping) void this.sweep()
    }, options.times.sweep)
    this.#timer.unref()
  }

  /** Loads the room at its first use. */
  of(hostId: string): Promise<LiveRoom> {
    this.#usedAt.set(hostId, this.#options.now())
    const known = this.#rooms.get(hostId)
    if (known) return known
    const log = this.#options.logs.open(hostId, () => readStoredRoom(this.#db, hostId))
    const loading = log.then((opened) => new LiveRoom(hostId, opened, this.#options))
    this.#rooms.set(hostId, loading)
    loading.then(
      (room) => this.#rooms.get(hostId) === loading && this.#loaded.set(hostId, room),
      () => this.#rooms.get(hostId) === loading && this.#rooms.delete(hostId),
    )
    return loading
  }

  /** Without counting as a use of one that is in memory. */
  async load(hostId: string): Promise<void> {
    if (!this.#rooms.has(hostId)) await this.of(hostId)
  }

  /** Null unless the room is in memory. */
  loaded(hostId: string): LiveRoom | null {
    const room = this.#loaded.get(hostId)
    if (!room) return null
    this.#usedAt.set(hostId, this.#options.now())
    return room
  }

  /** Those in memory. */
  all(): LiveRoom[] {
    return [...this.#loaded.values()]
  }

  /** Synchronous while the room is in memory, so that a poll waits for nothing. */
  use<T>(hostId: string, work: (room: LiveRoom) => T | Promise<T>): T | Promise<T> {
    const room = this.loaded(hostId)
    return room ? work(room) : this.of(hostId).then(work)
  }

  /** Like `use`, with all that other servers have committed by now. */
  useUpToDate<T>(hostId: string, work: (room: LiveRoom) => T | Promise<T>): T | Promise<T> {
    return this.#options.logs.isShared ? this.upToDate(hostId).then(work) : this.use(hostId, work)
  }

  /** With all that was committed by now, also by changes that do not take the room's lock. */
  async upToDate(hostId: string): Promise<LiveRoom> {
    const room = await this.of(hostId)
    await this.#catchUp.toDatabase(room)
    return room
  }

  /** For a phone that calls, with the ids of the commands that it acknowledges. */
  async ofPhone(hostId: string, acks: string[] = []): Promise<LiveRoom> {
    const room = this.loaded(hostId) ?? (await this.of(hostId))
    if (this.#options.logs.isShared) await this.#catchUp.toPhone(room, acks)
    return room
  }

  /** Null if no server has the room in memory, or loads it. */
  async findInUse(hostId: string): Promise<LiveRoom | null> {
    return this.#options.logs.isShared ? this.of(hostId) : ((await this.#rooms.get(hostId)) ?? null)
  }

  /** One change of a room at a time. One that has waited too long is refused before it begins. */
  withRoomLock<T>(hostId: string, change: () => Promise<T>): Promise<T> {
    return this.#mutex.run(hostId, change)
  }

  /** Applies what the transaction with this number has committed, where the room is in memory. */
  async commit(hostId: string, number: number, changes: RoomChange[]): Promise<void> {
    const room = await this.findInUse(hostId)
    await room?.commit(number, changes)
    if (this.#options.logs.isShared) return room ? waitFor(room, number) : undefined // or the next sweeps find it
    if (room && room.changeNumber < number) await room.reconcile(await readStoredRoom(this.#db, hostId))
  }

  async forget(hostId: string): Promise<void> {
    const room = await this.#rooms.get(hostId)
    this.#rooms.delete(hostId)
    this.#loaded.delete(hostId)
    this.#usedAt.delete(hostId)
    room?.close()
  }

  async sweep(): Promise<void> {
    this.#isSweeping = true
    for (const [hostId, loading] of [...this.#rooms]) {
      const room = await loading.catch(() => null)
      if (room) await this.#sweep(hostId, room).catch(this.#options.onFault)
    }
    await this.#reconcileOutdated().catch(() => {}) // the next sweep tries again
    this.#isSweeping = false
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    for (const loading of this.#rooms.values()) {
      const room = await loading.catch(() => null)
      await room?.flushOffline((users) => this.#options.saveLastSeen(room, users))
      room?.close()
    }
    this.#options.logs.close()
  }

  async #sweep(hostId: string, room: LiveRoom): Promise<void> {
    await room.sweep()
    await room.flushOffline((users) => this.#options.saveLastSeen(room, users))
    if (!room.isInUse && this.#isUnused(hostId)) await this.forget(hostId)
  }

  #isUnused(hostId: string): boolean {
    const since = this.#options.now() - this.#options.times.unused
    return (this.#usedAt.get(hostId) ?? 0) < since && !this.#mutex.isLocked(hostId)
  }

  /**
   * Rooms that lack a committed change: its caller failed after the commit, or never got the database's answer. Where
   * others may be about to append it, they have until the next sweep.
   */
  async #reconcileOutdated(): Promise<void> {
    if (this.#loaded.size === 0) return
    const stored = await this.#db
      .selectFrom('rooms')
      .select(['host_id', 'change_number'])
      .where('host_id', 'in', [...this.#loaded.keys()])
      .execute()
    for (const { host_id, change_number } of stored) {
      const room = this.#loaded.get(host_id)
      const lacked = this.#lacking.get(host_id)
      this.#lacking.delete(host_id)
      if (!room || room.changeNumber >= change_number) continue
      if (this.#options.logs.isShared && (lacked === undefined || room.changeNumber >= lacked))
        this.#lacking.set(host_id, change_number)
      else await this.withRoomLock(host_id, async () => room.reconcile(await readStoredRoom(this.#db, host_id)))
    }
  }
}
