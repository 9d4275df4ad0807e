import type { RoomEvent } from '../../../../shared/room-events.ts'
import type { TurnLimit } from '../../../../shared/turns.ts'

const MINUTE_MS = 60_000

export type TurnEvent = Extract<RoomEvent, { name: 'turn' }>

/** Holds who has the floor, since when (ms), and for how long at most. */
export interface Floor {
  floorId: string | null
  floorSince: number | null
  turnLimit: TurnLimit
}

/** Returns the turn under way; empty if nobody has the floor, or if it is not known since when. */
export function turnEvents({ floorId, floorSince, turnLimit }: Floor): TurnEvent[] {
  if (floorId === null || floorSince === null) return []
  const since = new Date(floorSince).toISOString()
  const data = { user_id: floorId, since, limit_minutes: turnLimit.minutes, ends_muted: turnLimit.mutes }
  return [{ name: 'turn', data }]
}

export function endOfTurn(user_id: string): TurnEvent {
  return { name: 'turn', data: { user_id, since: null, limit_minutes: null, ends_muted: false } }
}

/** True if the user who has the floor is to be muted now. */
export function isTurnOver({ floorSince, turnLimit }: Floor, at: number): boolean {
  const { minutes, mutes } = turnLimit
  return mutes && minutes !== null && floorSince !== null && at >= floorSince + minutes * MINUTE_MS
}
