import { z } from 'zod'
import { answer, Time } from './envelope.ts'

/** The console that holds a room's seat renews its lease within this time, or loses the seat. */
export const SEAT_LEASE_MS = 15_000
export const SEAT_RENEWAL_MS = 5_000
/** A seat that cannot reach Zoom for so long counts as lost. */
export const SEAT_LOST_AFTER_MS = 10_000
/** People of a lost seat are shown for so long, with the time at which they were last seen. */
export const LAST_SEEN_MS = 60_000
/** A command that Zoom's list of people does not confirm within this time has failed. */
export const SEAT_COMMAND_MS = 10_000
/** Zoom takes these orders one at a time, with so many ms between two of them; the others wait in the frame. */
export const SEAT_ORDER_INTERVAL_MS = { mute: 1_050, 'ask-unmute': 1_050, remove: 5_100 }
/** No order waits longer for its turn. */
export const SEAT_TURN_MS = 60_000
/** Zoom's largest meetings. Of more people only the number is kept. */
export const ATTENDEES_MAX = 1_000
/** Longer names are cut. */
export const SEAT_NAME_LENGTH = 64
/** The most people of one report. A longer list is sent in parts. */
export const ATTENDEES_PER_PART = 300
export const ATTENDEE_LINKS_MAX = 500
/** Begins the `customer_key` of a seat, so that a seat is never taken for the host's own phone. */
export const SEAT_KEY_PREFIX = 'seat-'

/** The host joins with the host's own rights, a guest is made co-host by hand in the Zoom app. */
export const SeatWay = z.enum(['host', 'guest'])
export type SeatWay = z.infer<typeof SeatWay>
export const SeatPowers = z.enum(['host', 'co-host', 'none'])
export type SeatPowers = z.infer<typeof SeatPowers>

/** A room's seat, as each of its consoles sees it. */
export const Seat = z.object({
  state: z.enum(['off', 'joining', 'in', 'reconnecting', 'lost']),
  seat_id: z.string().nullable(), // a console recognises its own seat
  powers: SeatPowers,
  by: z.string().nullable(), // whose browser has the seat
  since: Time.nullable(),
  is_hidden: z.boolean(), // its page is out of sight, so that the browser may slow it down
  lock: z.boolean(), // Mute All holds for people in Zoom too
})
export type Seat = z.infer<typeof Seat>
export const NO_SEAT: Seat = {
  state: 'off',
  seat_id: null,
  powers: 'none',
  by: null,
  since: null,
  is_hidden: false,
  lock: false,
}

/** Somebody in the Zoom meeting, as the seat sees them. The key is Zoom's `participantUUID`, else `u` and its user id. */
export const SeenAttendee = z.object({
  key: z.string().min(1).max(128),
  zoom_user_id: z.int().min(0),
  name: z.string().max(1_024), // Zoom allows long names; the server cuts them to 64 visible characters
  customer_key: z.string().max(64).nullable(),
  audio: z.enum(['', 'computer', 'phone']),
  muted: z.boolean().nullable(), // null: not known
  is_host: z.boolean(),
  is_co_host: z.boolean(),
  is_guest: z.boolean(),
  is_hold: z.boolean(), // in the waiting room
  hand: z.boolean(),
  is_bot: z.boolean(),
  is_self: z.boolean(), // the seat itself
})
export type SeenAttendee = z.infer<typeof SeenAttendee>

/** `by` says how the user was recognised: by the key that the phone app joins with, or by a remembered name. */
export const Attendee = SeenAttendee.extend({
  user_id: z.string().nullable(), // a user of the room
  by: z.enum(['key', 'name']).nullable(),
  suggestion: z.string().nullable(), // the one user of this name, who is not in the meeting by key
  is_allowed: z.boolean(), // to speak while Mute All holds
  joined_at: Time, // when the seat first saw them
})
export type Attendee = z.infer<typeof Attendee>

export const SEAT_ORDERS = [
  'mute',
  'mute-all',
  'ask-unmute',
  'ask-all',
  'remove',
  'hold',
  'admit',
  'admit-all',
  'lower-hand',
  'lower-all-hands',
  'reclaim-host',
] as const
export const SeatOrder = z.enum(SEAT_ORDERS)
export type SeatOrder = z.infer<typeof SeatOrder>

/** `leave` makes the former holder leave Zoom before another one joins. */
export const SeatCommand = z.object({
  seat_id: z.string(),
  id: z.string(),
  do: z.enum([...SEAT_ORDERS, 'leave']),
  key: z.string().optional(),
  user_id: z.int().optional(), // Zoom's
})
export type SeatCommand = z.infer<typeof SeatCommand>

export const SeatOutcome = z.enum(['done', 'dropped-by-zoom', 'refused', 'gone', 'timeout'])
export type SeatOutcome = z.infer<typeof SeatOutcome>

export const SeatTicket = z.object({
  role: z.literal([0, 1]),
  sdk_url: z.string(),
  sdk_version: z.string(),
  meeting_number: z.string(),
  passcode: z.string(),
  signature: z.string(),
  user_name: z.string(),
  customer_key: z.string(),
  zak: z.string().optional(), // with role 1
  expires_at: Time,
})
export type SeatTicket = z.infer<typeof SeatTicket>

const Epoch = z.int32().min(0).describe('One more each time the seat is taken.')
export const SeatLease = z.object({ seat_id: z.string(), epoch: Epoch, expires_at: Time })
export type SeatLease = z.infer<typeof SeatLease>

export const TakeSeat = z.object({
  seat_id: z.uuid().describe('Chosen by the page, and kept over its reload.'),
  as: SeatWay,
  silent: z.boolean().default(true).describe('Joins without sound, so that no tap is needed.'),
  take_over: z.boolean().default(false).describe('Ends the seat of another console first.'),
})
export type TakeSeat = z.input<typeof TakeSeat>
export const TakeSeatAnswer = answer(z.object({ lease: SeatLease, ticket: SeatTicket }))

/** Zoom's code of what has gone wrong, for the field report. */
const ZoomCode = z.int().min(0).max(999_999).nullable().default(null)

export const SeatReport = z.object({
  seat_id: z.uuid(),
  epoch: Epoch,
  seq: z.int().min(0).describe('One more with each report of a lease; 0 begins.'),
  state: z.object({
    connection: z.enum(['joining', 'in', 'reconnecting']),
    powers: SeatPowers,
    trouble: z.string().max(64).nullable(),
    zoom_code: ZoomCode,
    is_recording: z.boolean(),
    can_see_speaking: z.boolean(),
    is_hidden: z.boolean(),
  }),
  full: z.boolean().default(false).describe('This is the whole list, or a part of it.'),
  part: z.int().min(0).max(100).default(0).describe('Part 0 of a whole list begins to replace what was known.'),
  more: z
    .boolean()
    .default(false)
    .describe('More parts of the whole list follow. The last one removes those that none has named.'),
  attendees: z.array(SeenAttendee).max(ATTENDEES_PER_PART).default([]),
  left: z.array(z.string().max(128)).max(ATTENDEES_MAX).default([]),
  speaking: z.array(z.string().max(128)).max(3).optional().describe('Absent: unchanged.'),
  done: z
    .array(z.object({ id: z.string().max(64), outcome: SeatOutcome, code: z.number().optional() }))
    .max(100)
    .default([]),
  guarded: z
    .array(z.object({ key: z.string().max(128), times: z.int().min(1).max(100) }))
    .max(100)
    .default([]),
})
export type SeatReport = z.input<typeof SeatReport>
export const SeatReportAnswer = answer(z.object({ expires_at: Time, commands: z.array(SeatCommand) }))

export const ReleaseSeat = z.object({ seat_id: z.uuid(), epoch: Epoch, zoom_code: ZoomCode })

export const AttendeesAnswer = answer(
  z.object({
    seat: Seat,
    epoch: z.int(),
    attendees: z.array(Attendee),
    speaking: z.array(z.string()),
    others: z.int().describe('How many are in the meeting beyond the most that are listed.'),
  }),
)
export type AttendeesAnswer = z.infer<typeof AttendeesAnswer>

export const ATTENDEE_ACTIONS = ['mute', 'ask-unmute', 'allow', 'remove', 'hold', 'admit', 'lower-hand'] as const
export const AttendeeAction = z.enum(ATTENDEE_ACTIONS)
export type AttendeeAction = z.infer<typeof AttendeeAction>
/** A moderator may do these. Hosts and managers may do all. */
export const MODERATOR_ATTENDEE_ACTIONS: readonly AttendeeAction[] = ['mute', 'ask-unmute', 'allow', 'lower-hand']
export const AttendeeCommandAnswer = answer(z.object({ command_id: z.string() }))

export const LinkAttendee = z.object({
  user_id: z.string().max(64).nullable().describe('A user of the room; null takes the link back.'),
  remember: z.boolean().default(false).describe('Recognise this name from now on.'),
})
export type LinkAttendee = z.input<typeof LinkAttendee>

/** The names, folded, by which a user is recognised in Zoom. */
export const AttendeeNamesAnswer = answer(z.object({ names: z.array(z.string()) }))
export const ForgetAttendeeName = z.object({
  name: z
    .string()
    .min(1)
    .max(SEAT_NAME_LENGTH * 16)
    .describe('As the list has it.'),
})
export type ForgetAttendeeName = z.infer<typeof ForgetAttendeeName>
