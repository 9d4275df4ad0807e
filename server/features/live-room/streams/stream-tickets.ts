import { randomUUID } from 'node:crypto'
import { HOUR_MS, MINUTE_MS } from '../../../../shared/dates.ts'
import { AppError } from '../../../errors.ts'
import type { Bus } from '../../../lib/bus.ts'
import type { Clock } from '../../../lib/clock.ts'
import { type Secrets, sha256 } from '../../../lib/secrets.ts'
import { SlidingWindow } from '../../../lib/sliding-window.ts'
import type { RoomTimes } from '../room-times.ts'
import type { EventStream } from './sse.ts'

/** The state of a ticket that has opened a stream. */
interface Used {
  until: number
  stream: EventStream | null
  /** When the ticket last opened a stream here. */
  openedAt: number
}

/** A ticket in use at another server expires after this, as that server may crash before it reports the end. */
const OPEN_ELSEWHERE_MS = HOUR_MS
/** The limit of one session's openings: each sends the whole state and is published to the other servers. */
const OPENINGS_A_MINUTE = 60

/**
 * A ticket replaces the bearer token in the stream's URL, since a browser's EventSource sends no headers. Its signature
 * identifies the session at every server; the bus only updates how long it is valid.
 */
export class StreamTickets {
  readonly #secrets: Secrets
  readonly #bus: Bus
  readonly #now: Clock
  readonly #times: RoomTimes
  #prunedAt = 0
  /** Keyed by hash. */
  readonly #used = new Map<string, Used>()
  /** Keyed by session. */
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

  /** Returns the id of the ticket's session, or null if it is invalid or has expired. */
  find(id: string): string | null {
    const [session_id = '', at = '', nonce] = id.split('_')
    const text = `${session_id}_${at}_${nonce}`
    if (!this.#secrets.verify('stream-tickets', text, id.slice(text.length + 1))) return null
    const { until } = this.#used.get(sha256(id)) ?? { until: Number.parseInt(at, 36) + this.#times.ticketFirstUse }
    return until < this.#now() ? null : session_id
  }

  /** Counts a stream that is about to open, or throws `too_many`. The other servers count it once it is open. */
  countOpening(session_id: string): void {
    const session = this.#bus.pseudonym(session_id)
    if (this.#openings.count(session) >= OPENINGS_A_MINUTE)
      throw new AppError('too_many', 'Too many event streams. Please wait a moment and try again.', {
        retryAfterSeconds: Math.ceil(this.#openings.msUntilNext(session) / 1000),
      })
    this.#openings.add(session)
  }

  /** Call after `countOpening`. Returns the stream that the ticket opened before, which must end. */
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

  #openedElsewhere({ ticket, session, at }: { ticket: string; session: string; at: number }): void {
    this.#openings.add(session, at)
    const used = this.#used.get(ticket)
    if (used && used.openedAt > at) return
    used?.stream?.end()
    this.#used.set(ticket, { until: at + OPEN_ELSEWHERE_MS, stream: null, openedAt: 0 })
  }

  #closedElsewhere({ ticket, at }: { ticket: string; at: number }): void {
    if (this.#used.get(ticket)?.stream) return // a newer stream is open here
    this.#used.set(ticket, { until: at + this.#times.ticketReuse, stream: null, openedAt: 0 })
  }

  /** Skips most calls: ten thousand phones that reconnect at once would each go through all tickets. */
  #prune(): void {
    const now = this.#now()
    if (now - this.#prunedAt < this.#times.ticketFirstUse / 6) return
    this.#prunedAt = now
    for (const [key, { until }] of this.#used) if (until < now) this.#used.delete(key)
  }
}
