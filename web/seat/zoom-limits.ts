/** Milliseconds between two calls of one of Zoom's functions. Zoom drops a call that comes within its own, shorter limit. */
export const ZOOM_INTERVAL_MS = {
  mute: 1_050,
  muteAll: 5_100,
  expel: 5_100,
  putOnHold: 150,
  admitAll: 1_050,
  lowerHand: 1_050,
  lowerAllHands: 1_050,
  reclaimHost: 5_100,
}

export type LimitedCall = keyof typeof ZOOM_INTERVAL_MS
