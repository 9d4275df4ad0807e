import { randomUUID } from 'node:crypto'
import { HOUR_MS, MINUTE_MS } from '../../../shared/dates.ts'
import { AppError } from '../../errors.ts'
import type { Bus } from '../../lib/bus.ts'
import type { Clock } from '../../lib/clock.ts'
import { type Secrets, sha256 } from '../../lib/secrets.ts'
import { SlidingWindow } from '../../lib/sliding-window.ts'
import type { RoomTimes } from './room-times.ts'
import type { EventStream } from './sse.ts'

/** Of a ticket that a stream was opened with. */
interface Used {
  until: number
  stream: EventStream | null
  /** When a stream was last opened with it here. */
  openedAt: number
}

/** For a stream that another server has opened and whose end it may not live to report. */
const OPEN_ELSEWHERE_MS = HOUR_MS
/** Of one session, with all its tickets: each sends the whole state anew, and is told to the other servers. */
const OPENINGS_A_MINUTE = 60

/**
 * Stands in for the bearer token at the stream's address, since a browser's EventSource sends no headers. Its signature
 * alone says whose it is, here and at the other servers; what they report changes only how long it may be used.
 */
export class StreamTickets {
  readonly #secrets: Secrets
  readonly #bus: Bus
  readonly #now: Clock
  readonly #times: RoomTimes
  #prunedAt = 0
  /** By hash. */
  readonly #used = new Map<string, Used>()
  /** By session. */
  readonly #openings: SlidingWindow

  constructor({ secrets, bus, now }: { secrets: Secrets; bus: Bus; now: Clock }, times: RoomTimes) {
    this.#secrets = secrets
    this.#bus = bus
    this.#now = now
    this.#times = times
    this.#openings = new SlidingWindow(now, MINUTE_MS)
    bus.subscribe((message) => {
      this.#prune()
      if (message.type === 'stream-opened') this.#openedElsewhere(message)
      if (message.type === 'stream-closed') this.#closedElsewhere(message)
    })
  }

  issue(session_id: string): string {
    const text = `${session_id}_${this.#now().toString(36)}_${randomUUID().slice(0, 8)}`
    return `${text}_${this.#secrets.sign('stream-tickets', text)}`
  }

  /** Returns the id of its session. */
  find(id: string): string | null {
    const [session_id = '', at = '', nonce] = id.split('_')
    const text = `${session_id}_${at}_${nonce}`
    if (!this.#secrets.verify('stream-tickets', text, id.slice(text.length + 1))) return null
    const { until } = this.#used.get(sha256(id)) ?? { until: Number.parseInt(at, 36) + this.#times.ticketFirstUse }
    return until < this.#now() ? null : session_id
  }

  /** Throws `too_many`, or counts one that is about to open; the other servers learn of it once it is open. */
  countOpening(session_id: string): void {
    const session = this.#bus.pseudonym(session_id)
    if (this.#openings.count(session) >= OPENINGS_A_MINUTE)
      throw new AppError('too_many', 'Too many event streams. Please wait a moment and try again.', {
        retryAfterSeconds: Math.ceil(this.#openings.msUntilNext(session) / 1000),
      })
    this.#openings.add(session)
  }

  /** Call it after `countOpening`. Returns the stream that was opened with it before and is to end, if any. */
  opened(id: string, session_id: string, stream: EventStream): EventStream | null {
    this.#prune()
    const ticket = sha256(id)
    const before = this.#used.get(ticket)?.stream ?? null
    const at = this.#now()
    this.#used.set(ticket, { until: Number.POSITIVE_INFINITY, stream, openedAt: at })
    this.#bus.publish({ type: 'stream-opened', ticket, session: this.#bus.pseudonym(session_id), at })
    return before
  }

  closed(id: string, stream: EventStream): void {
    const ticket = sha256(id)
    const used = this.#used.get(ticket)
    if (used?.stream !== stream) return
    used.stream = null
    used.until = this.#now() + this.#times.ticketReuse
    this.#bus.publish({ type: 'stream-closed', ticket, at: this.#now() })
  }

  #openedElsewhere({ ticket, session, at }: { ticket: string; session?: string | undefined; at: number }): void {
    if (session) this.#openings.add(session, at)
    const used = this.#used.get(ticket)
    if (used && used.openedAt > at) return
    used?.stream?.end()
    this.#used.set(ticket, { until: at + OPEN_ELSEWHERE_MS, stream: null, openedAt: 0 })
  }

  #closedElsewhere({ ticket, at }: { ticket: string; at: number }): void {
    if (this.#used.get(ticket)?.stream) return // opened here since
    this.#used.set(ticket, { until: at + this.#times.ticketReuse, stream: null, openedAt: 0 })
  }

  /** Not at every call: ten thousand phones that reconnect at once would each go through all tickets. */
  #prune(): void {
    const now = this.#now()
    if (now - this.#prunedAt < this.#times.ticketFirstUse / 6) return
    this.#prunedAt = now
    for (const [key, { until }] of this.#used) if (until < now) this.#used.delete(key)
  }
}
