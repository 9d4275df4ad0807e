import { backoff } from '../../../../shared/backoff.ts'
import { NextFlight } from '../../../lib/next-flight.ts'
import { newEpoch } from '../state/epoch.ts'
import type { RoomChange } from '../state/room-change.ts'
import { encodeChange } from '../state/room-codec.ts'
import { initialRoom, type RoomSnapshot } from '../state/room-snapshot.ts'
import type { StoredRoom } from '../state/roster.ts'
import { BrokenLog, joinRoom } from './join-room.ts'
import { ChangeIds, changeOf, EntryOrder, type LogEntry, REPLAYED_OR_MOVED } from './log-entry.ts'
import { ModeratorsElsewhere } from './moderators-elsewhere.ts'
import type { RoomFollower, RoomLog } from './room-log.ts'
import type { JoinedRoom, RoomStore } from './room-store.ts'
import { STREAMS_EXPIRY_MS } from './scripts.ts'

/** The interval, in changes, of snapshots for servers that join. The log keeps several times as many. */
const SNAPSHOT_EVERY = 1_000
/** The size of a room's log, in characters, at which a snapshot takes the place of its entries. */
const LARGEST_LOG = 4_000_000

const NEVER_SEEN: ReadonlyMap<string, number> = new Map()

const NOBODY = '[]'

/** A script takes a few thousand arguments at most. */
const STREAMS_AT_ONCE = 1_000
/** The interval at which servers tell each other who moderates. */
const SHARE_MODERATORS_MS = 2_500
/** An announced stream has opened within this time, or not at all. */
const OPENING_MS = 2_000

const LONGEST_WAIT_MS = 3_000
const RETRY_MS = { first: 500, longest: 30_000 }

interface Options {
  store: RoomStore
  read: () => Promise<StoredRoom>
  now: () => number
  onDegraded: (error: unknown) => void
  onClose: () => void
}

interface PendingChange {
  change: RoomChange
  since: number
  resolve: () => void
  reject: (error: unknown) => void
}

/**
 * A room whose changes pass through Redis. Own changes take effect when they are read back, so that all servers apply
 * the same changes in the same order. While Redis is unreachable, the room continues on this server, in an epoch of its
 * own.
 */
export class RedisRoomLog implements RoomLog {
  readonly #options: Options
  readonly start: RoomSnapshot
  /** Null while the room is disconnected. */
  #joined: JoinedRoom | null = null
  #follower: RoomFollower | null = null
  /** Entries that arrived before the follower. */
  #buffered: LogEntry[] = []
  /** The size of the changes since a snapshot last took the place of entries. */
  #logSize = 0
  #sender = new ChangeIds()
  #order = new EntryOrder([])
  /** Own changes, in order, that were not read back yet. */
  readonly #waiting = new Map<string, PendingChange>()
  #sentStreams = { ids: new Set<string>(), at: -Infinity }
  #sharedModerators = { text: NOBODY, at: -Infinity }
  #moderatorsElsewhere = new ModeratorsElsewhere()
  /** An epoch that Redis may hold in an older state, or that is unreadable. */
  #staleEpoch: { epoch: string; number: number } | null = null
  #retry = { at: 0, failures: 0 }
  /** Announced phones and times, until the room itself lists their streams. */
  readonly #announced = new Map<string, number>()
  readonly #unsentStreams = new Set<string>()
  readonly #flights = new NextFlight<'keep' | 'streams'>()
  #isRejoining = false
  #isClosed = false

  private constructor(options: Options, start: RoomSnapshot) {
    this.#options = options
    this.start = start
  }

  static async open(options: Options): Promise<RedisRoomLog> {
    try {
      const { joined, entries } = await joinRoom(options, null)
      const log = new RedisRoomLog(options, joined.room)
      log.#buffered = entries
      log.#continue(joined, entries)
      return log
    } catch (error) {
      options.onDegraded(error)
      const log = new RedisRoomLog(options, initialRoom(await options.read(), newEpoch()))
      if (error instanceof BrokenLog) log.#staleEpoch = { epoch: error.epoch, number: Number.POSITIVE_INFINITY }
      return log
    }
  }

  get isInStep(): boolean {
    return this.#joined !== null
  }

  follow(follower: RoomFollower): void {
    this.#follower = follower
    for (const entry of this.#buffered.splice(0)) this.#receive(entry)
  }

  append(change: RoomChange): Promise<void> {
    return this.#send(change, async (epoch, changeId) => {
      await this.#options.store.append(epoch, changeId, encodeChange(change))
      return true
    })
  }

  seen(id: string): void {
    if (this.#joined) this.#options.store.seen(id)
  }

  async silenceOf(ids: string[]): Promise<ReadonlyMap<string, number>> {
    return (await this.#query((store) => store.silenceOf(ids))) ?? NEVER_SEEN
  }

  appendOffline(users: { id: string; at: number; silentMs: number }[]): Promise<void> {
    const each = users.map(({ id, at, silentMs }) => ({ id, json: JSON.stringify({ id, at }), silentMs }))
    const change: RoomChange = { type: 'offline', users: users.map(({ id, at }) => ({ id, at })) }
    const encoded = { change: encodeChange(change), empty: encodeChange({ ...change, users: [] }) }
    return this.#send(change, (epoch, changeId) => this.#options.store.appendSilent(epoch, changeId, encoded, each))
  }

  /** Batches announcements: those that arrive during one call share the next. */
  async announceStream(id: string): Promise<void> {
    if (!this.#joined) return
    this.#announced.set(id, performance.now())
    if (this.#sentStreams.ids.has(id)) return
    this.#unsentStreams.add(id)
    await this.#flights.run('streams', () => this.#announce())
  }

  async countStreamsElsewhere(ids: string[]): Promise<number> {
    return (await this.#query((store) => store.countStreamsElsewhere(ids))) ?? 0
  }

  close(): void {
    this.#isClosed = true
    this.#options.store.unfollow()
    for (const changeId of [...this.#waiting.keys()]) this.#settle(changeId)
    this.#options.onClose()
  }

  /** Continues without the other servers. Changes in flight take effect now. */
  degrade(error: unknown): void {
    if (!this.#joined || !this.#follower || this.#isClosed) return
    const { room, number } = this.#joined
    this.#staleEpoch ??= { epoch: room.epoch, number }
    this.#joined = null
    this.#options.onDegraded(error)
    this.#options.store.unfollow()
    this.#follower.restart({ ...this.#follower.toSnapshot(), epoch: newEpoch() })
    for (const [changeId, { change, reject }] of [...this.#waiting]) {
      try {
        this.#follower.apply(change, true)
      } catch (fault) {
        reject(fault)
      }
      this.#settle(changeId)
    }
  }

  /** Leaves its own epoch and joins that of the other servers, if possible. */
  async rejoin(): Promise<void> {
    if (this.#joined || this.#isRejoining || this.#isClosed || performance.now() < this.#retry.at) return
    this.#isRejoining = true
    try {
      const { joined, entries } = await joinRoom(this.#options, this.#staleEpoch)
      if (!this.#follower || this.#isClosed) {
        this.#options.store.unfollow()
        return
      }
      const alone = this.#follower.toSnapshot()
      this.#staleEpoch = null
      this.#retry = { at: 0, failures: 0 }
      this.#follower.restart(joined.room)
      this.#continue(joined, entries)
      for (const entry of entries) this.#receive(entry)
      if (this.#joined) this.#follower.republish(alone)
    } catch (error) {
      if (error instanceof BrokenLog) this.#staleEpoch = { epoch: error.epoch, number: Number.POSITIVE_INFINITY }
      const failures = this.#retry.failures + 1
      this.#retry = { at: performance.now() + backoff(failures, RETRY_MS), failures }
    } finally {
      this.#isRejoining = false
    }
  }

  /** Disconnects if a change is not read back in time, because its caller waits for it. */
  checkWaiting(): void {
    const [oldest] = this.#waiting
    if (!oldest || performance.now() - oldest[1].since < LONGEST_WAIT_MS) return
    const [changeId] = oldest
    setImmediate(() => this.#waiting.has(changeId) && this.degrade(new Error('A change was not read back from Redis')))
  }

  sendSeen(): Promise<void> {
    return this.#query((store) => store.sendSeen())
  }

  /** Publishes the phones that have a stream here, if they changed or if Redis may soon forget them. */
  async sendStreams(): Promise<void> {
    if (!this.#joined || !this.#follower) return
    const ids = [...new Set([...this.#follower.streams(), ...this.#opening()])]
    const isKnown = ids.length === this.#sentStreams.ids.size && ids.every((id) => this.#sentStreams.ids.has(id))
    if (isKnown && performance.now() - this.#sentStreams.at < STREAMS_EXPIRY_MS / 3) return
    this.#sentStreams = { ids: new Set(ids), at: performance.now() }
    await this.#query((store) => store.replaceStreams(ids))
  }

  /**
   * Tells the other servers who moderates here, and asks them, while somebody wants to know. A failure needs no answer:
   * the next one follows, and those whose server is silent are no longer listed.
   */
  async shareModerators(): Promise<void> {
    const joined = this.#joined
    if (!joined || !this.#follower) return
    const moderators = this.#follower.moderators()
    const here = moderators.here()
    const text = JSON.stringify(here)
    const isDue = moderators.isWatched && performance.now() - this.#sharedModerators.at >= SHARE_MODERATORS_MS
    if (text === this.#sharedModerators.text && !isDue) return
    this.#sharedModerators = { text, at: performance.now() }
    await this.#options.store.shareModerators(here, this.#options.now(), this.#moderatorsElsewhere).catch(() => {})
    if (this.#joined === joined && !this.#isClosed) this.#follower.moderatorsElsewhere(this.#moderatorsElsewhere.list())
  }

  /** Renews the room's time to live in Redis. */
  async renewExpiry(): Promise<void> {
    const joined = this.#joined
    if (!joined) return
    const isKept = await this.#query((store) => store.renewExpiry(joined.room.epoch))
    if (isKept === false && this.#joined === joined) this.degrade(new Error('Redis has lost the room'))
  }

  async #announce(): Promise<void> {
    for (let ids = this.#takeUnsent(); ids.length > 0; ids = this.#takeUnsent()) {
      await this.#query((store) => store.addStreams(ids))
      for (const id of ids) this.#sentStreams.ids.add(id)
    }
  }

  #takeUnsent(): string[] {
    const ids = [...this.#unsentStreams].slice(0, STREAMS_AT_ONCE)
    for (const id of ids) this.#unsentStreams.delete(id)
    return ids
  }

  #opening(): Iterable<string> {
    const from = performance.now() - OPENING_MS
    for (const [id, at] of this.#announced) if (at < from) this.#announced.delete(id)
    return this.#announced.keys()
  }

  #continue(joined: JoinedRoom, entries: LogEntry[]): void {
    this.#joined = joined
    this.#logSize = 0
    this.#sender = new ChangeIds()
    this.#order = new EntryOrder(joined.senders)
    this.#sentStreams = { ids: new Set(), at: -Infinity }
    this.#sharedModerators = { text: NOBODY, at: -Infinity }
    this.#moderatorsElsewhere = new ModeratorsElsewhere()
    const position = entries.at(-1)?.id ?? joined.position
    const onUnsigned = () => void this.#flights.run('keep', () => this.renewExpiry())
    this.#options.store.follow({ ...joined, position }, (entry) => this.#receive(entry), onUnsigned)
  }

  /** Returns undefined while the room is disconnected, and after a failure, which disconnects it. */
  async #query<T>(question: (store: RoomStore) => Promise<T>): Promise<T | undefined> {
    const joined = this.#joined
    if (!joined) return undefined
    try {
      return await question(this.#options.store)
    } catch (error) {
      if (this.#joined === joined) this.degrade(error)
      return undefined
    }
  }

  /** `send` returns false if there is nothing to append. */
  #send(change: RoomChange, send: (epoch: string, changeId: string) => Promise<boolean>): Promise<void> {
    if (this.#isClosed) return Promise.resolve()
    if (!this.#joined) return this.#applyAlone(change)
    const { room, number } = this.#joined
    const changeId = this.#sender.next(number)
    return new Promise((resolve, reject) => {
      this.#waiting.set(changeId, { change, since: performance.now(), resolve, reject })
      send(room.epoch, changeId).then(
        (isSent) => !isSent && this.#settle(changeId),
        // After a pause of the process, its timers run before it reads the replies that have arrived.
        (error) => setImmediate(() => this.#waiting.has(changeId) && this.degrade(error)),
      )
    })
  }

  async #applyAlone(change: RoomChange): Promise<void> {
    this.#follower?.apply(change, true)
  }

  #receive(entry: LogEntry): void {
    const joined = this.#joined
    if (!joined) return
    if (!this.#follower) {
      this.#buffered.push(entry)
      return
    }
    if (!this.#order.admits(entry)) {
      this.#options.store.report(REPLAYED_OR_MOVED)
      return
    }
    const { id, number, changeId } = entry
    if (number !== joined.number + 1) {
      this.degrade(new Error('A change of the room was missed'))
      return
    }
    joined.position = id
    joined.number = number
    const isOwn = this.#waiting.has(changeId)
    try {
      this.#follower.apply(changeOf(entry), isOwn)
    } catch (error) {
      this.#staleEpoch = { epoch: joined.room.epoch, number: Number.POSITIVE_INFINITY }
      this.degrade(error)
      return
    }
    this.#settle(changeId)
    this.#logSize += entry.change.length
    const isLarge = this.#logSize > LARGEST_LOG
    if (isLarge) this.#logSize = 0
    if (isOwn && (isLarge || number % SNAPSHOT_EVERY === 0))
      this.#keepSnapshot(joined, this.#follower.toSnapshot(), isLarge)
  }

  #keepSnapshot(joined: JoinedRoom, room: RoomSnapshot, trims: boolean): void {
    const senders = this.#order.senders()
    this.#options.store.storeSnapshot({ ...joined, room, senders }, trims).catch(() => {}) // the next snapshot will do
  }

  #settle(changeId: string): void {
    this.#waiting.get(changeId)?.resolve()
    this.#waiting.delete(changeId)
  }
}
