import { createStore } from 'zustand/vanilla'
import type { SeatEvent } from '../../../shared/room-events.ts'
import { AttendeesAnswer } from '../../../shared/seat.ts'
import { api } from '../../lib/api-client.ts'
import { applySeatAnswer, applySeatEvent, emptySeatView, type SeatView } from './seat-view.ts'

/** Events are kept for longer than an answer may be under way. */
const KEPT_MS = 20_000

export type SeatStore = ReturnType<typeof createSeatStore>

/** A page's copy of the room's seat. */
export function createSeatStore() {
  const store = createStore<SeatView>()(() => emptySeatView)
  let recent: { event: SeatEvent; at: number }[] = []

  return {
    ...store,
    applyEvent(event: SeatEvent, now = performance.now()) {
      recent = [...recent.filter(({ at }) => at > now - KEPT_MS), { event, at: now }]
      store.setState((view) => applySeatEvent(view, event, now), true)
    },
    /** Reads the seat and the whole list. Events that came since the request are applied once more. */
    async read(signal?: AbortSignal) {
      const requestedAt = performance.now()
      const answer = await api(AttendeesAnswer, 'GET', '/host/attendees', undefined, signal && { signal })
      const now = performance.now()
      const later = recent.filter(({ at }) => at >= requestedAt)
      store.setState(
        (view) =>
          later.reduce((next, { event }) => applySeatEvent(next, event, now), applySeatAnswer(view, answer, now)),
        true,
      )
    },
  }
}
