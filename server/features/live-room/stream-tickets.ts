import type { Clock } from '../../lib/clock.ts'
import { randomToken, sha256 } from '../../lib/secrets.ts'
import type { EventStream } from './event-stream.ts'
import type { RoomTimes } from './room-times.ts'

export interface Ticket {
  session_id: string
  host_id: string
  user_id: string | null // the phone it is for; null for a console
}

interface Held {
  ticket: Ticket
  until: number
  stream: EventStream | null
}

/** Stands in for the bearer token at the stream's address, since a browser's EventSource sends no headers. */
export class StreamTickets {
  readonly #now: Clock
  readonly #times: RoomTimes
  #lookedThroughAt = 0
  readonly #tickets = new Map<string, Held>()

  constructor(now: Clock, times: RoomTimes) {
    this.#now = now
    this.#times = times
  }

  issue(ticket: Ticket): string {
    this.#forgetOld()
    const id = randomToken()
    this.#tickets.set(sha256(id), { ticket, until: this.#now() + this.#times.ticketFirstUse, stream: null })
    return id
  }

  find(id: string): Ticket | null {
    const held = this.#tickets.get(sha256(id))
    return held && held.until >= this.#now() ? held.ticket : null
  }

  /** A stream was opened with it. Returns the one before it, if that is still open: it is to end. */
  opened(id: string, stream: EventStream): EventStream | null {
    const held = this.#tickets.get(sha256(id))
    if (!held) return null
    const before = held.stream
    held.stream = stream
    held.until = Number.POSITIVE_INFINITY
    return before
  }

  closed(id: string, stream: EventStream): void {
    const held = this.#tickets.get(sha256(id))
    if (held?.stream !== stream) return
    held.stream = null
    held.until = this.#now() + this.#times.ticketComeBack
  }

  endSession(sessionId: string): void {
    for (const [key, { ticket }] of this.#tickets) if (ticket.session_id === sessionId) this.#tickets.delete(key)
  }

  /** Not at every call: ten thousand phones that come back at once would each look through the tickets of all. */
  #forgetOld(): void {
    const now = this.#now()
    if (now - this.#lookedThroughAt < this.#times.ticketFirstUse / 6) return
    this.#lookedThroughAt = now
    for (const [key, { until }] of this.#tickets) if (until < now) this.#tickets.delete(key)
  }
}
