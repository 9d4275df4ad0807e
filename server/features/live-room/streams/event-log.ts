import { type RoomEvent, SEAT_EVENTS } from '../../../../shared/room-events.ts'
import { eventId, type NumberedEvent, seqOf } from '../state/event-id.ts'

/** Consoles get every event. A phone gets the events with its own user id, and those without one. */
export interface LoggedEvent {
  seq: number
  userId: string | null // null: for every phone
  consolesOnly: boolean
  frame: Buffer
  /** The same without what consoles alone get. */
  phoneFrame: Buffer
}

const CONSOLES_ONLY: readonly RoomEvent['name'][] = [
  'user-online',
  'user-speaking-status',
  'commands-acknowledged',
  ...SEAT_EVENTS,
]

/** Covers a short interruption in a busy room; a reader that missed more gets the state instead. */
const KEPT_EVENTS = 2_000

/** The room's recent events, each encoded once. */
export class EventLog {
  readonly #epoch: string
  #seq: number
  #events: LoggedEvent[] = []

  /** `seq` is the number of the last event before this log. */
  constructor(epoch: string, seq = 0) {
    this.#epoch = epoch
    this.#seq = seq
  }

  get lastId(): string {
    return eventId(this.#epoch, this.#seq)
  }

  append({ id, seq, event }: NumberedEvent): LoggedEvent {
    this.#seq = seq
    const consolesOnly = CONSOLES_ONLY.includes(event.name)
    const userId = 'user_id' in event.data && typeof event.data.user_id === 'string' ? event.data.user_id : null
    const frame = frameOf(event, id)
    const phoneFrame = 'by_id' in event.data && event.data.by_id ? frameOf(withoutActor(event), id) : frame
    const logged = { seq, userId, consolesOnly, frame, phoneFrame }
    this.#events.push(logged)
    if (this.#events.length > KEPT_EVENTS * 1.5) this.#events = this.#events.slice(-KEPT_EVENTS)
    return logged
  }

  /** Returns the events after this id, or null if some of them are no longer kept. */
  since(id: string): LoggedEvent[] | null {
    const seq = seqOf(this.#epoch, id)
    if (seq === null || seq > this.#seq) return null
    const oldest = this.#events[0]?.seq ?? this.#seq + 1
    if (seq < oldest - 1) return null
    return this.#events.filter((event) => event.seq > seq)
  }
}

function withoutActor({ name, data }: RoomEvent): RoomEvent {
  return { name, data: { ...data, by_id: undefined, by_name: undefined } } as RoomEvent // which leaves the name's type as it is
}

/** Encodes one event as `text/event-stream`, framed as one chunk of a chunked response. */
export function frameOf(event: RoomEvent, id: string): Buffer {
  return chunk(`id: ${id}\n${textOf(event)}`)
}

/** Encodes an event without an id, so that a reader that reconnects resumes after the event before. */
export function noticeOf(event: RoomEvent): Buffer {
  return chunk(textOf(event))
}

function textOf({ name, data }: RoomEvent): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}

export function chunk(text: string): Buffer {
  const framed = `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(framed)) // a slice of the pool would keep the whole pool alive
  bytes.write(framed)
  return bytes
}
