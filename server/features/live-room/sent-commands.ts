import type { RoomEvent } from '../../../shared/room-events.ts'
import type { NumberedEvent } from './state/event-id.ts'

const COMMANDS: readonly RoomEvent['name'][] = ['user-mute-status', 'host-mute-all']
/** A command that so many others have followed is no longer timed. */
const KEPT = 1_000

/** Times commands from their events here to the acknowledgements that arrive here. */
export class SentCommands {
  readonly #observe: (seconds: number) => void
  /** Keyed by the number of the event. */
  readonly #sentAt = new Map<number, number>()

  constructor(observe: (seconds: number) => void) {
    this.#observe = observe
  }

  add(events: readonly NumberedEvent[]): void {
    for (const { seq, event } of events) {
      if (!COMMANDS.includes(event.name)) continue
      this.#sentAt.set(seq, performance.now())
      const [oldest] = this.#sentAt.keys()
      if (oldest !== undefined && this.#sentAt.size > KEPT) this.#sentAt.delete(oldest)
    }
  }

  acknowledged(seq: number): void {
    const at = this.#sentAt.get(seq)
    if (at !== undefined) this.#observe((performance.now() - at) / 1000)
  }

  clear(): void {
    this.#sentAt.clear()
  }
}
