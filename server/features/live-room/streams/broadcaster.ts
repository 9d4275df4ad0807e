import type { RoomEvent } from '../../../../shared/room-events.ts'
import type { SessionRole } from '../../auth/tokens.ts'
import { type EventLog, frameOf, type LoggedEvent } from './event-log.ts'

/** An open stream. `queued` holds the frames that wait for its slice, so that it gets all frames in order. */
export interface Reader {
  queued: Buffer[] | null
  write(frame: Buffer): void
}

/** A console (`userId` is null) or one phone. */
export interface Subscriber extends Reader {
  readonly userId: string | null
  readonly role: SessionRole
  /** Writes the first frames, which may exceed the limit of unread bytes that applies later. */
  greet(frames: Buffer): void
  end(): void
}

/** A synchronous write to this many readers takes about 6 ms, which a poll may wait. Most rooms are smaller. */
const AT_ONCE = 1_000
/** Readers per slice in a larger room: about a millisecond of writing, between which requests are served. */
const SLICE = 100

/**
 * Writes one frame to many readers without delaying the polls: ten thousand socket writes in a row take a tenth of a
 * second. One per process.
 */
export class FanOut {
  #queue: Reader[] = []
  #next = 0

  post(readers: Iterable<Reader>, frame: Buffer): void {
    const all = [...readers]
    const atOnce = all.length > AT_ONCE ? SLICE : AT_ONCE
    let written = 0
    for (const reader of all) {
      if (reader.queued) reader.queued.push(frame)
      else if (written++ < atOnce) reader.write(frame)
      else this.#enqueue(reader, frame)
    }
  }

  #enqueue(reader: Reader, frame: Buffer): void {
    reader.queued = [frame]
    if (this.#queue.push(reader) === 1) setImmediate(() => this.#writeSlice())
  }

  #writeSlice(): void {
    const end = Math.min(this.#next + SLICE, this.#queue.length)
    for (; this.#next < end; this.#next++) {
      const reader = this.#queue[this.#next]
      if (reader) flush(reader)
    }
    if (this.#next < this.#queue.length) {
      setImmediate(() => this.#writeSlice())
      return
    }
    this.#queue = []
    this.#next = 0
  }
}

function flush(reader: Reader): void {
  const frames = reader.queued ?? []
  reader.queued = null
  reader.write(frames.length === 1 && frames[0] ? frames[0] : Buffer.concat(frames))
}

/** Lists what a subscriber gets as it is now; `isResumed` if it also gets each event that it missed. */
type StateOf = (isResumed: boolean) => RoomEvent[]

/** The open streams of one room on this node. */
export class Broadcaster {
  #log: EventLog
  readonly #fanOut: FanOut
  readonly #consoles = new Set<Subscriber>()
  readonly #phones = new Set<Subscriber>()
  readonly #byUser = new Map<string, { streams: Subscriber[]; openedAt: number }>()

  constructor(log: EventLog, fanOut: FanOut) {
    this.#log = log
    this.#fanOut = fanOut
  }

  get hasSubscribers(): boolean {
    return this.#consoles.size + this.#phones.size > 0
  }

  /** Lists the phones that have an open stream. */
  userIds(): string[] {
    return [...this.#byUser.keys()]
  }

  hasStream(userId: string): boolean {
    return this.#byUser.has(userId)
  }

  publish({ frame, phoneFrame, userId, consolesOnly }: LoggedEvent): void {
    this.#fanOut.post(this.#consoles, frame)
    if (consolesOnly) return
    this.#fanOut.post(userId === null ? this.#phones : (this.#byUser.get(userId)?.streams ?? []), phoneFrame)
  }

  notifyConsoles(frame: Buffer, roles?: readonly SessionRole[]): void {
    const consoles = [...this.#consoles]
    this.#fanOut.post(roles ? consoles.filter(({ role }) => roles.includes(role)) : consoles, frame)
  }

  notifyPhones(frame: Buffer): void {
    this.#fanOut.post(this.#phones, frame)
  }

  /** Reaches the phone of one user, or without a user all of them. */
  notifyPhonesOf(userId: string | undefined, frame: Buffer): void {
    if (userId === undefined) this.notifyPhones(frame)
    else this.#fanOut.post(this.#byUser.get(userId)?.streams ?? [], frame)
  }

  notifyConsolesAndPhone(userId: string, frame: Buffer): void {
    this.notifyConsoles(frame)
    this.#fanOut.post(this.#byUser.get(userId)?.streams ?? [], frame)
  }

  /**
   * Greets a subscriber with `test` and the events after `lastEventId`, or with the present state if these are no
   * longer kept, and adds it in the same step, so that no event falls between. Returns a function that removes it.
   */
  subscribe(subscriber: Subscriber, lastEventId: string | null, at: number, state: StateOf): () => void {
    const missed = lastEventId === null ? null : this.#log.since(lastEventId)
    const { lastId } = this.#log
    const test: RoomEvent = { name: 'test', data: { server_time: new Date(at).toISOString() } }
    const greeting = [frameOf(test, missed && lastEventId ? lastEventId : lastId)]
    if (missed)
      for (const event of missed)
        if (isFor(event, subscriber)) greeting.push(subscriber.userId === null ? event.frame : event.phoneFrame)
    for (const event of state(missed !== null)) greeting.push(frameOf(event, lastId))
    subscriber.greet(Buffer.concat(greeting))

    const { userId } = subscriber
    if (userId === null) {
      this.#consoles.add(subscriber)
      return () => this.#consoles.delete(subscriber)
    }
    this.#phones.add(subscriber)
    this.#byUser.set(userId, { streams: [...(this.#byUser.get(userId)?.streams ?? []), subscriber], openedAt: at })
    return () => this.#removePhone(userId, subscriber)
  }

  /** Keeps young streams: a phone may open its stream before its first report. */
  endStreamsOfOffline(isOnline: (userId: string) => boolean, openedBefore: number): void {
    for (const [userId, { streams, openedAt }] of this.#byUser)
      if (openedAt < openedBefore && !isOnline(userId)) for (const stream of streams) stream.end()
  }

  /** Ends all streams, because the new log does not continue the old one. */
  restart(log: EventLog): void {
    this.#log = log
    for (const stream of [...this.#consoles, ...this.#phones]) stream.end()
  }

  #removePhone(userId: string, subscriber: Subscriber): void {
    this.#phones.delete(subscriber)
    const { streams = [], openedAt = 0 } = this.#byUser.get(userId) ?? {}
    const others = streams.filter((one) => one !== subscriber)
    if (others.length > 0) this.#byUser.set(userId, { streams: others, openedAt })
    else this.#byUser.delete(userId)
  }
}

function isFor(event: LoggedEvent, { userId }: Subscriber): boolean {
  if (userId === null) return true
  return !event.consolesOnly && (event.userId === null || event.userId === userId)
}
