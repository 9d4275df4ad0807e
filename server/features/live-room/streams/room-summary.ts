import type { RoomSummary } from '../../../../shared/mobile.ts'
import type { QueueOrder } from '../../../../shared/queue-order.ts'
import type { Participant } from '../state/participant.ts'
import type { Participants } from '../state/participants.ts'

/** More than a phone shows. */
const MAX_SPEAKERS = 10

interface Summarised {
  epoch: string
  version: number
  queueOrder: QueueOrder
  participants: Participants
}

/** The summary that phones poll, recomputed at the first read after a change and shared by all of them. */
export class PolledSummary {
  readonly #room: () => Summarised
  #current: { epoch: string; version: number; shared: Shared } | null = null

  constructor(room: () => Summarised) {
    this.#room = room
  }

  /** Adds this user's own place in the queue. */
  of(id: string): RoomSummary {
    const { summary, places } = this.#shared()
    return { ...summary, queue_place: places.get(id) ?? null }
  }

  #shared(): Shared {
    const { epoch, version, participants, queueOrder } = this.#room()
    if (this.#current?.version !== version || this.#current.epoch !== epoch)
      this.#current = { epoch, version, shared: summarise(participants, queueOrder) }
    return this.#current.shared
  }
}

interface Shared {
  summary: Omit<RoomSummary, 'queue_place'>
  places: ReadonlyMap<string, number>
}

function summarise(participants: Participants, order: QueueOrder): Shared {
  let online = 0
  const speakers: Participant[] = []
  const queue = participants.queue(order)
  for (const one of participants.all()) {
    if (!one.is_online) continue
    online++
    if (one.is_speaking) speakers.push(one)
  }
  speakers.sort((one, other) => (one.speaking_since ?? 0) - (other.speaking_since ?? 0))
  return {
    summary: {
      online,
      speaking: speakers.slice(0, MAX_SPEAKERS).map(({ roster: { id, username } }) => ({ id, username })),
      waiting: queue.length,
    },
    places: new Map(queue.map(({ roster }, index) => [roster.id, index + 1])),
  }
}
