/** For this long after an event of the stream a poll may not change the flag: its answer may be older. */
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

/** An event that came since the call has cleared `revertTo`, and stands. */
export function rollback(flag: HostMuteAll, now: number): HostMuteAll {
  return { ...flag, active: flag.revertTo ?? flag.active, revertTo: null, answeredAt: now }
}

export function applyFlagEvent(flag: HostMuteAll, active: boolean, now: number): HostMuteAll {
  return { ...flag, active, revertTo: null, eventAt: now }
}

/** `requestedAt` is when the poll was sent: one sent before Mute All was answered is out of date. */
export function applyPolledFlag(flag: HostMuteAll, active: boolean, requestedAt: number, now: number): HostMuteAll {
  if (flag.revertTo !== null) return flag
  if (requestedAt < flag.answeredAt) return flag
  if (now - flag.eventAt < EVENT_GUARD_MS) return flag
  return active === flag.active ? flag : { ...flag, active }
}
