import type { RoomEvent } from '../../../shared/room-events.ts'

/** Consoles hear everything; a phone hears what names it, and what is for all. */
export interface LoggedEvent {
  id: string
  seq: number
  userId: string | null // null: for every phone
  consolesOnly: boolean
  frame: Buffer
}

/** What consoles are told and phones are not. */
const CONSOLES_ONLY: readonly RoomEvent['name'][] = ['user-online', 'user-speaking-status', 'commands-acknowledged']

/** Enough for a short cut of the line in a busy room; a reader that missed more gets the state as it is. */
const KEPT = 2_000

/** The room's recent events, each encoded once. Ids are `epoch-seq`; another epoch's are never trusted. */
export class EventLog {
  readonly epoch: string
  #seq: number
  #events: LoggedEvent[] = []

  constructor(epoch: string, seq = 0) {
    this.epoch = epoch
    this.#seq = seq
  }

  get seq(): number {
    return this.#seq
  }

  idOf(seq: number): string {
    return `${this.epoch}-${seq}`
  }

  seqOf(id: string): number | null {
    const [epoch, digits = ''] = id.split('-')
    if (epoch !== this.epoch || !/^\d{1,15}$/.test(digits)) return null
    return Number(digits)
  }

  append(event: RoomEvent): LoggedEvent {
    const seq = ++this.#seq
    const id = this.idOf(seq)
    const consolesOnly = CONSOLES_ONLY.includes(event.name)
    const userId = 'user_id' in event.data ? event.data.user_id : null
    const logged = { id, seq, userId, consolesOnly, frame: frameOf(event, id) }
    this.#events.push(logged)
    if (this.#events.length > KEPT * 1.5) this.#events = this.#events.slice(-KEPT)
    return logged
  }

  /** What came after the event of this id, or null when that can no longer be told. */
  since(id: string): LoggedEvent[] | null {
    const seq = this.seqOf(id)
    if (seq === null || seq > this.#seq) return null
    const oldest = this.#events[0]?.seq ?? this.#seq + 1
    if (seq < oldest - 1) return null
    return this.#events.filter((event) => event.seq > seq)
  }
}

/** One event as `text/event-stream` wants it, already cut as one chunk of a chunked answer. */
export function frameOf(event: RoomEvent, id: string): Buffer {
  return chunk(`id: ${id}\nevent: ${event.name}\ndata: ${JSON.stringify(event.data)}\n\n`)
}

export function chunk(text: string): Buffer {
  const framed = `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(framed)) // of its own: one kept in a pool keeps all of the pool
  bytes.write(framed)
  return bytes
}
