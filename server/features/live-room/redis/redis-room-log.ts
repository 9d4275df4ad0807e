import { newEpoch } from '../epoch.ts'
import type { RoomChange } from '../room-change.ts'
import { decodeChange, encodeChange } from '../room-codec.ts'
import type { RoomFollower, RoomLog } from '../room-log.ts'
import type { StoredRoom } from '../roster.ts'
import { beginRoom, type SharedRoom } from '../shared-room.ts'
import type { JoinedRoom, LogEntry, RoomStore } from './room-store.ts'
import { STREAMS_KEPT_MS } from './scripts.ts'

/** A snapshot for servers that join is due after so many changes. The log keeps several times as many. */
const SNAPSHOT_EVERY = 1_000

const NEVER_SEEN: ReadonlyMap<string, number> = new Map()

interface Options {
  store: RoomStore
  /** Of this server. */
  node: string
  read: () => Promise<StoredRoom>
  onAlone: (error: unknown) => void
  onClose: () => void
}

/**
 * A room whose changes pass through Redis. What this server appends takes effect here too when it is read back, so that
 * all servers apply the same changes in the same order. While Redis cannot be reached the room goes on alone, in an epoch
 * of its own.
 */
export class RedisRoomLog implements RoomLog {
  readonly #options: Options
  /** Null while the room is alone. */
  #joined: JoinedRoom | null
  #start: SharedRoom
  #follower: RoomFollower | null = null
  #sent = 0
  /** Own changes that have not been read back, in their order. */
  readonly #waiting = new Map<string, { change: RoomChange; resolve: () => void }>()
  #sentStreams = { ids: new Set<string>(), at: -Infinity }
  #isRejoining = false
  #isClosed = false

  private constructor(options: Options, start: SharedRoom, joined: JoinedRoom | null) {
    this.#options = options
    this.#start = start
    this.#joined = joined
  }

  static async open(options: Options): Promise<RedisRoomLog> {
    const { store, read, onAlone } = options
    const joined = await store.join(read).catch((error) => {
      onAlone(error)
      return null
    })
    return new RedisRoomLog(options, joined?.room ?? beginRoom(await read(), newEpoch()), joined)
  }

  get start(): SharedRoom {
    return this.#start
  }

  get isInStep(): boolean {
    return this.#joined !== null
  }

  async follow(follower: RoomFollower): Promise<void> {
    this.#follower = follower
    if (this.#joined) await this.#catchUp(this.#joined)
  }

  append(change: RoomChange): Promise<void> {
    return this.#send(change, async (epoch, own) => {
      await this.#options.store.append(epoch, own, encodeChange(change))
      return true
    })
  }

  seen(id: string): void {
    this.#options.store.seen(id)
  }

  async silenceOf(ids: string[]): Promise<ReadonlyMap<string, number>> {
    if (!this.#joined) return NEVER_SEEN
    return this.#options.store.silenceOf(ids).catch((error) => {
      this.goAlone(error)
      return NEVER_SEEN
    })
  }

  appendOffline(users: { id: string; at: number; silentMs: number }[]): Promise<void> {
    const offline = (some: { id: string; at: number }[]): RoomChange => ({ type: 'offline', users: some })
    const each = users.map(({ id, at, silentMs }) => ({ id, json: JSON.stringify({ id, at }), silentMs }))
    return this.#send(offline(users.map(({ id, at }) => ({ id, at }))), (epoch, own) =>
      this.#options.store.appendSilent(epoch, own, encodeChange(offline([])), each),
    )
  }

  async countStreamsElsewhere(ids: string[]): Promise<number> {
    if (!this.#joined) return 0
    return this.#options.store.countStreamsElsewhere(ids).catch((error) => {
      this.goAlone(error)
      return 0
    })
  }

  close(): void {
    this.#isClosed = true
    this.#options.store.unfollow()
    for (const own of [...this.#waiting.keys()]) this.#settle(own)
    this.#options.onClose()
  }

  /** Goes on from here without the other servers. What was under way takes effect now. */
  goAlone(error: unknown): void {
    if (!this.#joined || !this.#follower || this.#isClosed) return
    this.#joined = null
    this.#options.onAlone(error)
    this.#options.store.unfollow()
    this.#follower.restart({ ...this.#follower.share(), epoch: newEpoch() })
    for (const [own, { change }] of [...this.#waiting]) {
      this.#follower.apply(change, true)
      this.#settle(own)
    }
  }

  /** Leaves its own epoch for that of the other servers. */
  async rejoin(): Promise<void> {
    if (this.#joined || this.#isRejoining) return
    this.#isRejoining = true
    try {
      const joined = await this.#options.store.join(this.#options.read)
      if (!this.#follower || this.#isClosed) return
      const alone = this.#follower.share()
      this.#joined = joined
      this.#sentStreams.at = -Infinity
      this.#follower.restart(joined.room)
      await this.#catchUp(joined)
      if (this.#joined) this.#follower.repeat(alone)
    } finally {
      this.#isRejoining = false
    }
  }

  /** Says which phones have a stream here, when that has changed or may be forgotten. */
  async sendStreams(): Promise<void> {
    if (!this.#joined || !this.#follower) return
    const ids = this.#follower.streams()
    const isKnown = ids.length === this.#sentStreams.ids.size && ids.every((id) => this.#sentStreams.ids.has(id))
    if (isKnown && performance.now() - this.#sentStreams.at < STREAMS_KEPT_MS / 3) return
    this.#sentStreams = { ids: new Set(ids), at: performance.now() }
    await this.#options.store.keepStreams(ids)
  }

  /** Keeps Redis from forgetting the room. */
  async keep(): Promise<void> {
    if (!this.#joined) return
    const { epoch } = this.#joined.room
    const isKept = await this.#options.store.keep(epoch)
    if (!isKept && this.#joined?.room.epoch === epoch) this.goAlone(new Error('Redis has lost the room'))
  }

  /** Follows the log, and waits until this server has applied what was appended before. */
  async #catchUp({ position }: JoinedRoom): Promise<void> {
    this.#options.store.follow(position, (entry) => this.#receive(entry))
    await this.append({ type: 'flush-voice' })
  }

  /** `send` returns false if there is nothing to append. */
  #send(change: RoomChange, send: (epoch: string, own: string) => Promise<boolean>): Promise<void> {
    if (!this.#joined) {
      this.#follower?.apply(change, true)
      return Promise.resolve()
    }
    const own = `${this.#options.node}:${++this.#sent}`
    const { epoch } = this.#joined.room
    return new Promise((resolve) => {
      this.#waiting.set(own, { change, resolve })
      send(epoch, own).then(
        (isSent) => !isSent && this.#settle(own),
        (error) => this.#waiting.has(own) && this.goAlone(error),
      )
    })
  }

  #receive({ id, number, own, change }: LogEntry): void {
    const joined = this.#joined
    if (!joined || !this.#follower) return
    if (number !== joined.number + 1) {
      this.goAlone(new Error('A change of the room was missed'))
      return
    }
    joined.position = id
    joined.number = number
    const isOwn = this.#waiting.has(own)
    this.#follower.apply(decodeChange(change), isOwn)
    this.#settle(own)
    if (isOwn && number % SNAPSHOT_EVERY === 0) this.#keepSnapshot(joined, this.#follower.share())
  }

  #keepSnapshot(joined: JoinedRoom, room: SharedRoom): void {
    this.#options.store.keepSnapshot({ ...joined, room }).catch(() => {}) // the next one will do
  }

  #settle(own: string): void {
    this.#waiting.get(own)?.resolve()
    this.#waiting.delete(own)
  }
}
