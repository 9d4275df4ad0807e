import { buildReconcilingChange } from '../state/differences.ts'
import type { RoomChange } from '../state/room-change.ts'
import { encodeChange } from '../state/room-codec.ts'
import { RoomState } from '../state/room-state.ts'
import type { StoredRoom } from '../state/roster.ts'
import { ChangeIds, changeOf, EntryOrder, type LogEntry, REPLAYED_OR_MOVED } from './log-entry.ts'
import type { JoinedRoom, RoomStore } from './room-store.ts'

/** Longer than two commands and a read may take. */
const LONGEST_MS = 4_000

/** The log cannot be followed from its snapshot, because an entry is missing or unreadable. */
export class BrokenLog extends Error {
  readonly epoch: string

  constructor(epoch: string, cause: unknown) {
    super('The log of the room cannot be followed', { cause })
    this.epoch = epoch
  }
}

interface CaughtUp {
  joined: JoinedRoom
  /** Entries after the snapshot. A stream may have missed their events. */
  entries: LogEntry[]
}

interface Options {
  store: RoomStore
  read: () => Promise<StoredRoom>
  now: () => number
}

/**
 * Returns the room as the other servers have it now, with everything in the database. First proves that changes can be
 * appended and read back, so that a disconnected room keeps its own epoch until it can go on in the shared one.
 */
export async function joinRoom(options: Options, stale: (Pick<JoinedRoom, 'number'> & { epoch: string }) | null) {
  const joined = await options.store.join(options.read, stale)
  const joining = new Joining(joined, options)
  try {
    return await joining.catchUp(options)
  } catch (error) {
    options.store.unfollow()
    throw error
  }
}

class Joining {
  readonly #joined: JoinedRoom
  readonly #state: RoomState
  readonly #store: RoomStore
  readonly #entries: LogEntry[] = []
  readonly #waiting = new Map<string, () => void>()
  readonly #broken = Promise.withResolvers<never>()
  readonly #sender = new ChangeIds()
  readonly #order: EntryOrder

  constructor(joined: JoinedRoom, { store }: Options) {
    this.#joined = joined
    this.#state = new RoomState(structuredClone(joined.room)) // the follower starts with the original
    this.#store = store
    this.#order = new EntryOrder(joined.senders)
    store.follow(joined, (entry) => this.#receive(entry))
  }

  async catchUp({ read, now }: Options): Promise<CaughtUp> {
    const timeout = AbortSignal.timeout(LONGEST_MS)
    timeout.addEventListener('abort', () => this.#broken.reject(new Error('Redis took too long over a room')))
    await Promise.race([this.#append({ type: 'flush-voice' }), this.#broken.promise])
    const stored = await Promise.race([read(), this.#broken.promise])
    while (stored.changeNumber > this.#state.changeNumber) {
      const change = buildReconcilingChange(this.#state, stored, now())
      await Promise.race([this.#append(change), this.#broken.promise])
    }
    return { joined: this.#joined, entries: this.#entries }
  }

  /** The number of the last applied change. */
  get #number(): number {
    return this.#joined.number + this.#entries.length
  }

  async #append(change: RoomChange): Promise<void> {
    const changeId = this.#sender.next(this.#number)
    const isRead = new Promise<void>((resolve) => this.#waiting.set(changeId, resolve))
    await this.#store.append(this.#joined.room.epoch, changeId, encodeChange(change))
    await isRead
  }

  #receive(entry: LogEntry): void {
    const { number, changeId } = entry
    if (!this.#order.admits(entry)) {
      this.#store.report(REPLAYED_OR_MOVED)
      return
    }
    try {
      if (number !== this.#number + 1) throw new Error('A change of the room was missed')
      this.#state.apply(changeOf(entry))
      this.#entries.push(entry)
      this.#waiting.get(changeId)?.()
    } catch (cause) {
      this.#broken.reject(new BrokenLog(this.#joined.room.epoch, cause))
    }
  }
}
