import type { RoomEvent } from '../../../shared/room-events.ts'
import { type EventLog, frameOf, type LoggedEvent } from './event-log.ts'
import type { FanOut, Reader } from './fan-out.ts'
import type { EventSayer } from './room-commands.ts'

/** Somebody who listens to the room: a console (userId null) or one phone. */
export interface Listener extends Reader {
  readonly userId: string | null
  end(): void
}

/** A listener that is greeted with more than it may leave unread later. */
export interface NewListener extends Listener {
  greet(frames: Buffer): void
}

/** Says a room's events to everyone whom they concern, and to those who come back what they missed. */
export class Announcer implements EventSayer {
  readonly #log: EventLog
  readonly #fanOut: FanOut
  readonly #consoles = new Set<Listener>()
  readonly #phones = new Set<Listener>()
  readonly #byUser = new Map<string, Listener[]>()

  constructor(log: EventLog, fanOut: FanOut) {
    this.#log = log
    this.#fanOut = fanOut
  }

  seqOf(id: string): number | null {
    return this.#log.seqOf(id)
  }

  get hasListeners(): boolean {
    return this.#consoles.size + this.#phones.size > 0
  }

  streamsOf(userId: string): number {
    return this.#byUser.get(userId)?.length ?? 0
  }

  endStreamsOf(userId: string): void {
    for (const listener of this.#byUser.get(userId) ?? []) listener.end()
  }

  /** Returns the event's id, which a phone gives back to acknowledge it. */
  say(event: RoomEvent): { id: string; seq: number } {
    const { id, seq, frame, userId, consolesOnly } = this.#log.append(event)
    this.#fanOut.post(this.#consoles, frame)
    if (!consolesOnly && userId === null) this.#fanOut.post(this.#phones, frame)
    else if (!consolesOnly && userId !== null) this.#fanOut.post(this.#byUser.get(userId) ?? [], frame)
    return { id, seq }
  }

  /**
   * Greets a listener with `test` and what it missed after `lastEventId`, or with the state as it is where that cannot
   * be told, and adds it in the same step, so that no event falls between. Returns what removes it again.
   */
  add(listener: NewListener, lastEventId: string | null, at: number, state: () => RoomEvent[]): () => void {
    const missed = lastEventId === null ? null : this.#log.since(lastEventId)
    const here = this.#log.idOf(this.#log.seq)
    const test: RoomEvent = { name: 'test', data: { server_time: new Date(at).toISOString() } }
    const greeting = [frameOf(test, missed && lastEventId ? lastEventId : here)]
    if (missed) for (const event of missed) if (concerns(event, listener)) greeting.push(event.frame)
    if (!missed) for (const event of state()) greeting.push(frameOf(event, here))
    listener.greet(Buffer.concat(greeting))

    const { userId } = listener
    if (userId === null) {
      this.#consoles.add(listener)
      return () => this.#consoles.delete(listener)
    }
    this.#phones.add(listener)
    this.#byUser.set(userId, [...(this.#byUser.get(userId) ?? []), listener])
    return () => this.#removePhone(userId, listener)
  }

  #removePhone(userId: string, listener: Listener): void {
    this.#phones.delete(listener)
    const others = (this.#byUser.get(userId) ?? []).filter((one) => one !== listener)
    if (others.length > 0) this.#byUser.set(userId, others)
    else this.#byUser.delete(userId)
  }
}

function concerns(event: LoggedEvent, { userId }: Listener): boolean {
  if (userId === null) return true
  return !event.consolesOnly && (event.userId === null || event.userId === userId)
}
