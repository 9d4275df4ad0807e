import type { Db } from '../../db/client.ts'
import { AppError } from '../../errors.ts'
import { KeyedMutex } from '../../lib/keyed-mutex.ts'
import { LiveRoom, type LiveRoomOptions } from './live-room.ts'
import { type RosterEntry, readStoredRoom, type StoredRoom } from './roster.ts'

/** Together with the change itself this stays within the 15 s that a console waits. */
const LONGEST_WAIT_MS = 5_000

export interface LiveRoomsOptions extends LiveRoomOptions {
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
  readonly #mutex = new KeyedMutex({
    ms: LONGEST_WAIT_MS,
    refusal: () => new AppError('busy', 'The room is busy. Please try again.'),
  })
  /** Hosts whose room failed to change, perhaps after the commit; since when. */
  readonly #uncertain = new Map<string, number>()
  readonly #timer: NodeJS.Timeout

  constructor(db: Db, options: LiveRoomsOptions) {
    this.#db = db
    this.#options = options
    this.#timer = setInterval(() => void this.sweep(), options.times.sweep)
    this.#timer.unref()
  }

  /** Loads the room at its first use. */
  of(hostId: string): Promise<LiveRoom> {
    this.#usedAt.set(hostId, this.#options.now())
    const known = this.#rooms.get(hostId)
    if (known) return known
    const loading = readStoredRoom(this.#db, hostId).then((stored) => new LiveRoom(hostId, stored, this.#options))
    this.#rooms.set(hostId, loading)
    loading.then(
      (room) => this.#rooms.get(hostId) === loading && this.#loaded.set(hostId, room),
      () => this.#rooms.get(hostId) === loading && this.#rooms.delete(hostId),
    )
    return loading
  }

  /** Null unless the room is in memory. */
  loaded(hostId: string): LiveRoom | null {
    const room = this.#loaded.get(hostId)
    if (!room) return null
    this.#usedAt.set(hostId, this.#options.now())
    return room
  }

  /** Synchronous while the room is in memory, so that a poll waits for nothing. */
  use<T>(hostId: string, work: (room: LiveRoom) => T | Promise<T>): T | Promise<T> {
    const room = this.loaded(hostId)
    return room ? work(room) : this.of(hostId).then(work)
  }

  /** Null unless the room is in memory or being loaded. */
  async findLoaded(hostId: string): Promise<LiveRoom | null> {
    return (await this.#rooms.get(hostId)) ?? null
  }

  /**
   * One change of a room at a time, so that database, room and phones see them in one order. One that has waited too
   * long is refused before it begins. One that fails may have been committed all the same: the room is then reconciled
   * with the database before anything else.
   */
  withRoomLock<T>(hostId: string, change: () => Promise<T>): Promise<T> {
    return this.#mutex.run(hostId, async () => {
      await this.#reconcileIfUncertain(hostId)
      return change().catch((error: unknown) => {
        if (!(error instanceof AppError)) this.#uncertain.set(hostId, this.#options.now())
        throw error
      })
    })
  }

  async forget(hostId: string): Promise<void> {
    const room = await this.findLoaded(hostId)
    this.#rooms.delete(hostId)
    this.#loaded.delete(hostId)
    this.#usedAt.delete(hostId)
    room?.close()
  }

  async sweep(): Promise<void> {
    for (const [hostId, loading] of [...this.#rooms]) {
      const room = await loading.catch(() => null)
      if (room) await this.#sweep(hostId, room).catch(this.#options.onFault)
    }
    for (const hostId of this.#uncertain.keys())
      if (!this.#mutex.isLocked(hostId)) void this.withRoomLock(hostId, async () => {}).catch(() => {})
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    for (const loading of this.#rooms.values()) (await loading.catch(() => null))?.close()
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

  /** Repeated for a while: a commit may still be under way although its call has timed out. */
  async #reconcileIfUncertain(hostId: string): Promise<void> {
    const since = this.#uncertain.get(hostId)
    if (since === undefined) return
    const room = await this.findLoaded(hostId)
    if (room) {
      this.#uncertain.set(hostId, this.#options.now()) // starts over if this fails too
      await reconcile(room, await readStoredRoom(this.#db, hostId))
      this.#uncertain.set(hostId, since)
    }
    if (!room || this.#options.now() - since > this.#options.times.uncertain) this.#uncertain.delete(hostId)
  }
}

/** Publishes what was committed without the room knowing, as ordinary changes. */
async function reconcile(room: LiveRoom, { hostMuteAll, meetingId, roster, host }: StoredRoom): Promise<void> {
  const known = new Map(room.roster().map((entry) => [entry.id, entry]))
  if (hostMuteAll !== room.hostMuteAll) await room.muteAll(hostMuteAll)
  if (meetingId !== room.meetingId) await room.setMeeting(meetingId)
  for (const entry of [...roster, host]) {
    const before = known.get(entry.id)
    known.delete(entry.id)
    if (!before || lasting(before) !== lasting(entry)) await room.upsert(entry)
    if (room.isMuted(entry.id) !== entry.is_muted) await room.mute([entry.id], entry.is_muted, 'host')
  }
  const deleted = [...known.keys()]
  await room.signOut(deleted, 'deleted')
  for (const id of deleted) await room.remove(id)
}

/** Without what the room knows better (last_seen) and what is compared by itself (is_muted). */
const lasting = (entry: RosterEntry) => JSON.stringify({ ...entry, last_seen: null, is_muted: null })
