import { SEAT_ORDER_INTERVAL_MS } from '../../shared/seat.ts'

/** Milliseconds between two calls of one of Zoom's functions. Zoom drops a call that comes within its own, shorter limit. */
export const ZOOM_INTERVAL_MS = {
  mute: SEAT_ORDER_INTERVAL_MS.mute,
  muteAll: 5_100,
  expel: SEAT_ORDER_INTERVAL_MS.remove,
  putOnHold: 150,
  admitAll: 1_050,
  lowerHand: 1_050,
  lowerAllHands: 1_050,
  reclaimHost: 5_100,
}

export type LimitedCall = keyof typeof ZOOM_INTERVAL_MS
