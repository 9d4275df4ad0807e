import type { RoomEvent } from '../../shared/room-events.ts'
import type { Clock } from '../clock.ts'
import { EventLog, frameOf, type LoggedEvent } from './event-log.ts'

/** Somebody who listens to the room: a console (userId null) or one phone. */
export interface Listener {
  userId: string | null
  send(frame: Buffer): void
}

/** Says a room's events to everyone whom they concern, and to those who come back what they missed. */
export class Announcer {
  readonly #log: EventLog
  readonly #now: Clock
  readonly #consoles = new Set<Listener>()
  readonly #phones = new Map<string, Set<Listener>>()

  constructor(epoch: string, now: Clock) {
    this.#log = new EventLog(epoch)
    this.#now = now
  }

  get seq(): number {
    return this.#log.seq
  }

  seqOf(id: string): number | null {
    return this.#log.seqOf(id)
  }

  /** How many streams a phone holds open. */
  streamsOf(userId: string): number {
    return this.#phones.get(userId)?.size ?? 0
  }

  get listeners(): number {
    return this.#consoles.size + this.#phones.size
  }

  /** Returns the event's id, which a phone gives back to acknowledge it. */
  say(event: RoomEvent): { id: string; seq: number } {
    const logged = this.#log.append(event)
    for (const listener of this.#consoles) listener.send(logged.frame)
    if (!logged.consolesOnly) {
      const phones = logged.userId === null ? [...this.#phones.values()] : [this.#phones.get(logged.userId) ?? []]
      for (const streams of phones) for (const listener of streams) listener.send(logged.frame)
    }
    return { id: this.#log.idOf(logged.seq), seq: logged.seq }
  }

  /**
   * Greets a listener with `test` and what it missed after `lastEventId`, or with the state as it is where that cannot
   * be told, and adds it in the same step, so that no event falls between. Returns what removes it again.
   */
  add(listener: Listener, lastEventId: string | null, state: () => RoomEvent[]): () => void {
    const missed = lastEventId === null ? null : this.#log.since(lastEventId)
    const here = this.#log.idOf(this.#log.seq)
    const test: RoomEvent = { name: 'test', data: { server_time: new Date(this.#now()).toISOString() } }
    listener.send(frameOf(test, missed && lastEventId ? lastEventId : here))
    if (missed) {
      for (const event of missed) if (concerns(event, listener)) listener.send(event.frame)
    } else {
      const frames = state().map((event) => frameOf(event, here))
      listener.send(Buffer.concat(frames))
    }

    const { userId } = listener
    if (userId === null) {
      this.#consoles.add(listener)
      return () => this.#consoles.delete(listener)
    }
    const streams = this.#phones.get(userId) ?? new Set()
    this.#phones.set(userId, streams.add(listener))
    return () => {
      streams.delete(listener)
      if (streams.size === 0 && this.#phones.get(userId) === streams) this.#phones.delete(userId)
    }
  }
}

function concerns(event: LoggedEvent, { userId }: Listener): boolean {
  if (userId === null) return true
  return !event.consolesOnly && (event.userId === null || event.userId === userId)
}
