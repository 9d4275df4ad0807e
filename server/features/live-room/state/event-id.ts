import type { RoomEvent } from '../../../../shared/room-events.ts'

export interface NumberedEvent {
  id: string
  seq: number
  event: RoomEvent
}

/** Event ids are `epoch-seq`. Each load of a room starts a new epoch, and ids of another epoch are never trusted. */
export function eventId(epoch: string, seq: number): string {
  return `${epoch}-${seq}`
}

export function seqOf(epoch: string, id: string): number | null {
  const [of, digits = ''] = id.split('-')
  return of === epoch && /^\d{1,15}$/.test(digits) ? Number(digits) : null
}
