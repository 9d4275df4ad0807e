import { randomUUID } from 'node:crypto'
import { HOUR_MS } from '../../../shared/dates.ts'
import type { Bus } from '../../lib/bus.ts'
import type { Clock } from '../../lib/clock.ts'
import { type Secrets, sha256 } from '../../lib/secrets.ts'
import type { RoomTimes } from './room-times.ts'
import type { EventStream } from './sse.ts'

interface Issued {
  session_id: string
  until: number
  stream: EventStream | null
  /** When a stream was last opened with it here. */
  openedAt: number
}

/** For a stream that another server has opened and whose end it may not live to report. */
const OPEN_ELSEWHERE_MS = HOUR_MS

/**
 * Stands in for the bearer token at the stream's address, since a browser's EventSource sends no headers. Signed, so that
 * a server knows those of the others.
 */
export class StreamTickets {
  readonly #secrets: Secrets
  readonly #bus: Bus
  readonly #now: Clock
  readonly #times: RoomTimes
  #prunedAt = 0
  readonly #tickets = new Map<string, Issued>()

  constructor({ secrets, bus, now }: { secrets: Secrets; bus: Bus; now: Clock }, times: RoomTimes) {
    this.#secrets = secrets
    this.#bus = bus
    this.#now = now
    this.#times = times
    bus.subscribe((message) => {
      if (message.type === 'stream-opened') this.#openedElsewhere(message)
      if (message.type === 'stream-closed') this.#closedElsewhere(message)
    })
  }

  issue(session_id: string): string {
    this.#prune()
    const text = `${session_id}_${this.#now().toString(36)}_${randomUUID().slice(0, 8)}`
    const id = `${text}_${this.#secrets.sign('stream-tickets', text)}`
    this.#tickets.set(sha256(id), {
      session_id,
      until: this.#now() + this.#times.ticketFirstUse,
      stream: null,
      openedAt: 0,
    })
    return id
  }

  /** Returns the id of its session. */
  find(id: string): string | null {
    const key = sha256(id)
    const issued = this.#tickets.get(key) ?? this.#issuedElsewhere(id)
    if (!issued || issued.until < this.#now()) return null
    this.#tickets.set(key, issued)
    return issued.session_id
  }

  /** Returns the stream that was opened with it before and is to end, if any. */
  opened(id: string, stream: EventStream): EventStream | null {
    const ticket = sha256(id)
    const issued = this.#tickets.get(ticket)
    if (!issued) return null
    const before = issued.stream
    issued.stream = stream
    issued.openedAt = this.#now()
    issued.until = Number.POSITIVE_INFINITY
    this.#bus.publish({ type: 'stream-opened', ticket, session_id: issued.session_id, at: this.#now() })
    return before
  }

  closed(id: string, stream: EventStream): void {
    const ticket = sha256(id)
    const issued = this.#tickets.get(ticket)
    if (issued?.stream !== stream) return
    issued.stream = null
    issued.until = this.#now() + this.#times.ticketReuse
    this.#bus.publish({ type: 'stream-closed', ticket, session_id: issued.session_id, at: this.#now() })
  }

  endSession(sessionId: string): void {
    for (const [key, { session_id }] of this.#tickets) if (session_id === sessionId) this.#tickets.delete(key)
  }

  #issuedElsewhere(id: string): Issued | null {
    const [session_id = '', at = '', nonce] = id.split('_')
    const text = `${session_id}_${at}_${nonce}`
    if (!this.#secrets.verify('stream-tickets', text, id.slice(text.length + 1))) return null
    return { session_id, until: Number.parseInt(at, 36) + this.#times.ticketFirstUse, stream: null, openedAt: 0 }
  }

  #openedElsewhere({ ticket, session_id, at }: { ticket: string; session_id: string; at: number }): void {
    const issued = this.#tickets.get(ticket)
    if (issued && issued.openedAt > at) return
    issued?.stream?.end()
    this.#tickets.set(ticket, { session_id, until: at + OPEN_ELSEWHERE_MS, stream: null, openedAt: 0 })
  }

  #closedElsewhere({ ticket, session_id, at }: { ticket: string; session_id: string; at: number }): void {
    if (this.#tickets.get(ticket)?.stream) return // opened here since
    this.#tickets.set(ticket, { session_id, until: at + this.#times.ticketReuse, stream: null, openedAt: 0 })
  }

  /** Not at every call: ten thousand phones that reconnect at once would each go through all tickets. */
  #prune(): void {
    const now = this.#now()
    if (now - this.#prunedAt < this.#times.ticketFirstUse / 6) return
    this.#prunedAt = now
    for (const [key, { until }] of this.#tickets) if (until < now) this.#tickets.delete(key)
  }
}
