/** Milliseconds after an event in which a poll may not change the flag, since its answer may be older. */
const EVENT_GUARD_MS = 2000

/** The room's host-mute-all flag as the page shows it. Times are the browser's, in ms. */
export interface HostMuteAll {
  readonly active: boolean
  /** The value to roll back to if the pending call fails; null when no call is pending. */
  readonly revertTo: boolean | null
  readonly answeredAt: number
  readonly eventAt: number
}

export const initialFlag: HostMuteAll = { active: false, revertTo: null, answeredAt: -Infinity, eventAt: -Infinity }

export function setOptimistic(flag: HostMuteAll, active: boolean): HostMuteAll {
  return { ...flag, active, revertTo: flag.revertTo ?? flag.active }
}

export function confirmOptimistic(flag: HostMuteAll, now: number): HostMuteAll {
  return { ...flag, revertTo: null, answeredAt: now }
}

/** Restores the flag, unless a later event has cleared `revertTo`. */
export function rollback(flag: HostMuteAll, now: number): HostMuteAll {
  return { ...flag, active: flag.revertTo ?? flag.active, revertTo: null, answeredAt: now }
}

export function applyFlagEvent(flag: HostMuteAll, active: boolean, now: number): HostMuteAll {
  return { ...flag, active, revertTo: null, eventAt: now }
}

/** `requestedAt`: when the poll was sent; a poll sent before the answer to Mute All is out of date. */
export function applyPolledFlag(flag: HostMuteAll, active: boolean, requestedAt: number, now: number): HostMuteAll {
  if (flag.revertTo !== null) return flag
  if (requestedAt < flag.answeredAt) return flag
  if (now - flag.eventAt < EVENT_GUARD_MS) return flag
  return active === flag.active ? flag : { ...flag, active }
}
