import type { Clock } from '../../lib/clock.ts'
import { randomToken, sha256 } from '../../lib/secrets.ts'
import type { RoomTimes } from './room-times.ts'
import type { EventStream } from './sse.ts'

export interface Ticket {
  session_id: string
  host_id: string
  user_id: string | null // the phone it is for; null for a console
}

interface Issued {
  ticket: Ticket
  until: number
  stream: EventStream | null
}

/** Stands in for the bearer token at the stream's address, since a browser's EventSource sends no headers. */
export class StreamTickets {
  readonly #now: Clock
  readonly #times: RoomTimes
  #prunedAt = 0
  readonly #tickets = new Map<string, Issued>()

  constructor(now: Clock, times: RoomTimes) {
    this.#now = now
    this.#times = times
  }

  issue(ticket: Ticket): string {
    this.#prune()
    const id = randomToken()
    this.#tickets.set(sha256(id), { ticket, until: this.#now() + this.#times.ticketFirstUse, stream: null })
    return id
  }

  find(id: string): Ticket | null {
    const issued = this.#tickets.get(sha256(id))
    return issued && issued.until >= this.#now() ? issued.ticket : null
  }

  /** Returns the stream that was opened with it before and is to end, if any. */
  opened(id: string, stream: EventStream): EventStream | null {
    const issued = this.#tickets.get(sha256(id))
    if (!issued) return null
    const before = issued.stream
    issued.stream = stream
    issued.until = Number.POSITIVE_INFINITY
    return before
  }

  closed(id: string, stream: EventStream): void {
    const issued = this.#tickets.get(sha256(id))
    if (issued?.stream !== stream) return
    issued.stream = null
    issued.until = this.#now() + this.#times.ticketReuse
  }

  endSession(sessionId: string): void {
    for (const [key, { ticket }] of this.#tickets) if (ticket.session_id === sessionId) this.#tickets.delete(key)
  }

  /** Not at every call: ten thousand phones that reconnect at once would each go through all tickets. */
  #prune(): void {
    const now = this.#now()
    if (now - this.#prunedAt < this.#times.ticketFirstUse / 6) return
    this.#prunedAt = now
    for (const [key, { until }] of this.#tickets) if (until < now) this.#tickets.delete(key)
  }
}
