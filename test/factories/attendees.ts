import { type Attendee, NO_SEAT, type Seat } from '../../shared/seat.ts'

let last = 0

/** Somebody in the Zoom meeting who is no user of the room. */
export function buildAttendee(fields: Partial<Attendee> = {}): Attendee {
  last += 1
  return {
    ...{ key: `attendee-${last}`, zoom_user_id: 16_778_240 + last, name: `Guest ${last}`, customer_key: null },
    ...{ audio: 'computer', muted: false, is_host: false, is_co_host: false, is_guest: true, is_hold: false },
    ...{ hand: false, is_bot: false, is_self: false, user_id: null, by: null, suggestion: null, is_allowed: false },
    joined_at: '2026-11-27T20:00:00.000Z',
    ...fields,
  }
}

/** A seat that is in the meeting as its host. */
export const buildSeat = (fields: Partial<Seat> = {}): Seat => ({
  ...NO_SEAT,
  ...{ state: 'in', seat_id: 'seat', powers: 'host', by: 'Anna', since: '2026-11-27T20:00:00.000Z' },
  ...fields,
})
