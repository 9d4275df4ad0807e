import type { Db } from '../../db/client.ts'
import { AppError } from '../../errors.ts'
import { KeyedMutex } from '../../lib/keyed-mutex.ts'
import { LiveRoom, type LiveRoomOptions } from './live-room.ts'
import { CatchUp, waitForChange } from './replication/catch-up.ts'
import type { RoomLogs } from './replication/room-log.ts'
import type { RoomChange } from './state/room-change.ts'
import { type RosterEntry, readStoredRoom } from './state/roster.ts'

/** Together with the change itself, this stays within the 15 s of a console's timeout. */
const LONGEST_WAIT_MS = 5_000

export interface LiveRoomsOptions extends LiveRoomOptions {
  logs: RoomLogs
  /** Saves when users who went offline were last seen. */
  saveLastSeen: (room: LiveRoom, users: RosterEntry[]) => Promise<void>
  /** Ends the seat of a console that is gone. */
  endExpiredSeat: (room: LiveRoom) => Promise<void>
  /** Mutes the user whose turn has taken longer than it may. */
  endTurn: (room: LiveRoom) => Promise<void>
}

/** The rooms in memory, which consoles and phones use. */
export class LiveRooms {
  readonly #db: Db
  readonly #options: LiveRoomsOptions
  readonly #rooms = new Map<string, Promise<LiveRoom>>()
  readonly #loaded = new Map<string, LiveRoom>()
  readonly #usedAt = new Map<string, number>()
  /** Each room's newest change in the database that it lacked at the last sweep. */
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

  /**
   * Returns the room if it is in memory, so that a poll waits for nothing. It may miss the latest commits of others.
   */
  peek(hostId: string): LiveRoom | null {
    const room = this.#loaded.get(hostId)
    if (!room) return null
    this.#usedAt.set(hostId, this.#options.now())
    return room
  }

  /** Returns the same as `peek`, but null if other servers may have changed the room. */
  peekFresh(hostId: string): LiveRoom | null {
    return this.#options.logs.isShared ? null : this.peek(hostId)
  }

  /** Returns the room, which its first use loads. It may miss the latest commits of others. */
  get(hostId: string): Promise<LiveRoom> {
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

  /** Returns the room with everything committed before the call, at this server and at others. */
  async getFresh(hostId: string): Promise<LiveRoom> {
    const room = await this.get(hostId)
    await this.#catchUp.toDatabase(room)
    return room
  }

  /** Returns the room once it contains the commands that the phone acknowledges: `acks` are their ids. */
  async getForPhone(hostId: string, acks: string[] = []): Promise<LiveRoom> {
    const room = this.peek(hostId) ?? (await this.get(hostId))
    if (this.#options.logs.isShared) await this.#catchUp.toPhone(room, acks)
    return room
  }

  /** Returns null if no server has the room in memory or loads it. */
  async getIfInUse(hostId: string): Promise<LiveRoom | null> {
    return this.#options.logs.isShared ? this.get(hostId) : ((await this.#rooms.get(hostId)) ?? null)
  }

  /** Lists the rooms in memory, which does not count as a use of them. */
  all(): LiveRoom[] {
    return [...this.#loaded.values()]
  }

  /** Runs one change of a room at a time, and refuses one that has waited too long before it begins. */
  withRoomLock<T>(hostId: string, change: () => Promise<T>): Promise<T> {
    return this.#mutex.run(hostId, change)
  }

  /**
   * Applies a committed transaction if the room is in memory. Earlier ones of other servers arrive through Redis, with
   * changes that the database does not have; without Redis the room reads the database.
   */
  async commit(hostId: string, number: number, changes: RoomChange[]): Promise<void> {
    const room = await this.getIfInUse(hostId)
    if (!room) return
    const committedAt = performance.now()
    await room.commands.commit(number, changes)
    if (changes.length > 0) this.#options.metrics.eventLagSeconds.observe((performance.now() - committedAt) / 1000)
    if (this.#options.logs.isShared) await waitForChange(room, number)
    const mayStillArrive = this.#options.logs.isShared && room.isInStep // otherwise a later sweep reconciles
    if (room.changeNumber < number && !mayStillArrive)
      await room.commands.reconcile(await readStoredRoom(this.#db, hostId))
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
    if (room.seat.holder) await this.#options.endExpiredSeat(room)
    if (room.overdueFloor) await this.#options.endTurn(room)
    if (!room.isInUse && this.#isUnused(hostId)) await this.forget(hostId)
  }

  #isUnused(hostId: string): boolean {
    const since = this.#options.now() - this.#options.times.unused
    return (this.#usedAt.get(hostId) ?? 0) < since && !this.#mutex.isLocked(hostId)
  }

  /**
   * Reconciles rooms that lack a committed change, because its caller failed after the commit or never got the
   * database's answer. Other servers have until the next sweep to append it.
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
      else
        await this.withRoomLock(host_id, async () => room.commands.reconcile(await readStoredRoom(this.#db, host_id)))
    }
  }
}
