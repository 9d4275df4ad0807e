import type { SeatEvent } from '../../../shared/room-events.ts'
import { type Attendee, type AttendeesAnswer, NO_SEAT, type Seat, type SeatOutcome } from '../../../shared/seat.ts'

/** Outcomes are kept until their console has read them, and no longer than so many later ones. */
const OUTCOMES_KEPT = 200

/** The room's seat and whom it sees in the Zoom meeting, as this page knows them. */
export interface SeatView {
  readonly seat: Seat
  readonly epoch: number
  readonly attendees: ReadonlyMap<string, Attendee>
  readonly speaking: ReadonlySet<string>
  /** Counts those in the meeting beyond the listed ones. */
  readonly others: number
  /** False before the first answer. */
  readonly isRead: boolean
  /** True if events are missing, so that the whole list has to be read. */
  readonly isStale: boolean
  /** The page's time at which the seat was lost. */
  readonly lostAt: number | null
  readonly outcomes: ReadonlyMap<string, SeatOutcome>
}

export const emptySeatView: SeatView = {
  seat: NO_SEAT,
  epoch: 0,
  attendees: new Map(),
  speaking: new Set(),
  others: 0,
  isRead: false,
  isStale: false,
  lostAt: null,
  outcomes: new Map(),
}

export function applySeatAnswer(view: SeatView, { data }: AttendeesAnswer, now: number): SeatView {
  return {
    ...view,
    ...withSeat(view, data.seat, now),
    epoch: data.epoch,
    attendees: new Map(data.attendees.map((attendee) => [attendee.key, attendee])),
    speaking: new Set(data.speaking),
    others: data.others,
    isRead: true,
    isStale: false,
  }
}

/** Events may be applied once more, over an answer that may be older. */
export function applySeatEvent(view: SeatView, event: SeatEvent, now: number): SeatView {
  switch (event.name) {
    case 'seat':
      return { ...view, ...withSeat(view, event.data, now) }
    case 'attendees': {
      if (event.data.epoch !== view.epoch) return { ...view, isStale: true }
      const attendees = new Map(view.attendees)
      for (const attendee of event.data.changed) attendees.set(attendee.key, attendee)
      for (const key of event.data.left) attendees.delete(key)
      return { ...view, attendees }
    }
    case 'attendees-speaking':
      return { ...view, speaking: new Set(event.data.keys) }
    case 'command-settled': {
      const { id, outcome } = event.data
      return { ...view, outcomes: new Map([...[...view.outcomes].slice(1 - OUTCOMES_KEPT), [id, outcome]]) }
    }
    case 'seat-command': // for the page that has the seat
      return view
  }
}

function withSeat(view: SeatView, seat: Seat, now: number): Pick<SeatView, 'seat' | 'lostAt'> & Partial<SeatView> {
  const lostAt = seat.state === 'lost' ? (view.lostAt ?? now) : null
  if (seat.state === 'off') return { seat, lostAt, attendees: new Map(), speaking: new Set(), others: 0 }
  return { seat, lostAt }
}

/** True while what the attendees are shown as is true. */
export const isSeeing = ({ seat }: Pick<SeatView, 'seat'>) => seat.state === 'in' || seat.state === 'reconnecting'

/** True if a mute reaches those who are in Zoom only. */
export const canMute = ({ seat }: Pick<SeatView, 'seat'>) => seat.state === 'in' && seat.powers !== 'none'

/** True if a seat can mute, and somebody besides it is in the meeting. */
export const isAnybodyMutable = ({ seat, attendees }: Pick<SeatView, 'seat' | 'attendees'>) =>
  canMute({ seat }) && [...attendees.values()].some(({ is_self, is_hold }) => !is_self && !is_hold)

/** Lists those in the meeting whom no phone of Parley's app shows, newest first. */
export function guestsOf(
  { attendees }: Pick<SeatView, 'attendees'>,
  isOnline: (userId: string) => boolean,
): Attendee[] {
  const isGuest = ({ user_id, is_self, is_hold }: Attendee) =>
    !is_self && !is_hold && (user_id === null || !isOnline(user_id))
  return newestFirst([...attendees.values()].filter(isGuest))
}

export function waitingOf({ attendees }: Pick<SeatView, 'attendees'>): Attendee[] {
  return newestFirst([...attendees.values()].filter((one) => one.is_hold && !one.is_self)).reverse()
}

/** Lists each user's attendees: one for each device with which the user is in the meeting. */
export function attendeesByUser({ attendees }: Pick<SeatView, 'attendees'>): ReadonlyMap<string, readonly Attendee[]> {
  const byUser = new Map<string, Attendee[]>()
  for (const attendee of attendees.values()) {
    if (attendee.user_id === null || attendee.is_self || attendee.is_hold) continue
    byUser.set(attendee.user_id, [...(byUser.get(attendee.user_id) ?? []), attendee])
  }
  return byUser
}

const newestFirst = (attendees: Attendee[]) =>
  attendees.sort((one, other) => other.joined_at.localeCompare(one.joined_at) || one.key.localeCompare(other.key))
