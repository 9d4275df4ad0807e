/** For this long after an event of the stream, what the API says about the flag is ignored: it may be older. */
const EVENT_GUARD_MS = 2000

/** The room's host-mute-all flag as the page believes it. Times are the browser's, in ms. */
export interface HostMuteAll {
  readonly active: boolean
  /** What the flag was before a press whose call has not been answered; null when no call is under way. */
  readonly revertTo: boolean | null
  readonly answeredAt: number
  readonly eventAt: number
}

export const flagAtStart: HostMuteAll = { active: false, revertTo: null, answeredAt: -Infinity, eventAt: -Infinity }

/** Mute All or Unmute All was pressed: the flag shows at once what was asked for. */
export function pressed(flag: HostMuteAll, active: boolean): HostMuteAll {
  return { ...flag, active, revertTo: flag.revertTo ?? flag.active }
}

export function confirmed(flag: HostMuteAll, now: number): HostMuteAll {
  return { ...flag, revertTo: null, answeredAt: now }
}

/** The call failed: back to what was, unless an event has said better in the meantime. */
export function refused(flag: HostMuteAll, now: number): HostMuteAll {
  return { ...flag, active: flag.revertTo ?? flag.active, revertTo: null, answeredAt: now }
}

export function heardEvent(flag: HostMuteAll, active: boolean, now: number): HostMuteAll {
  return { ...flag, active, revertTo: null, eventAt: now }
}

/** `requestedAt` is when the poll set out: one that left before the press was answered tells the past. */
export function heardApi(flag: HostMuteAll, active: boolean, requestedAt: number, now: number): HostMuteAll {
  if (flag.revertTo !== null) return flag
  if (requestedAt < flag.answeredAt) return flag
  if (now - flag.eventAt < EVENT_GUARD_MS) return flag
  return active === flag.active ? flag : { ...flag, active }
}
