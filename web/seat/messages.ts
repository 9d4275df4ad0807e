import { z } from 'zod'
import {
  SeatCommand,
  SeatOrder,
  SeatOutcome,
  SeatPowers,
  SeatTicket,
  SeatWay,
  SeenAttendee,
} from '../../shared/seat.ts'

// Messages between a console and the frame of its seat, over one port for each joining. The frame's origin differs.

/** Window messages from before the port exists. */
export const SEAT_READY = 'parley-seat-ready'
export const SEAT_LEFT = 'parley-seat-left' // Zoom's program has left the page, whose port is gone
export const SEAT_PORT = 'parley-seat-port'

/** The guard forgets after so long who may speak. While Mute All holds, the console says it once a second. */
export const ALLOW_MS = 5_000

export const ToSeat = z.discriminatedUnion('type', [
  z.object({ type: z.literal('join'), ticket: SeatTicket, as: SeatWay, silent: z.boolean(), language: z.string() }),
  z.object({ type: z.literal('do'), id: z.string(), what: SeatOrder, user_id: SeatCommand.shape.user_id }),
  // The server has settled this command: what still waits of it is not done any more.
  z.object({ type: z.literal('drop'), id: z.string() }),
  // Whom the frame lets speak while Mute All holds. It guards by itself, so that a slow server lengthens no voice. `at` is
  // the time of day, so that a message that waited while the machine slept is known to be old.
  z.object({ type: z.literal('allow'), lock: z.boolean(), keys: z.array(z.string()), at: z.number() }),
  z.object({ type: z.literal('leave'), id: z.string() }),
])
export type ToSeat = z.infer<typeof ToSeat>

export const SeatTrouble = z.enum([
  'sdk_failed', // Zoom's program could not be loaded
  'sdk_too_old', // Zoom no longer accepts this version of it; never retried
  'ticket_refused', // Zoom refuses the host's token; one fresh ticket, then the account has to be connected again
  'other_meeting', // another meeting of the host runs
  'elsewhere', // the host is in this meeting with Zoom's app; never retried
  'removed', // by another host; never retried
  'waiting_room',
  'full',
  'locked',
  'join_failed',
])
export type SeatTrouble = z.infer<typeof SeatTrouble>

/** The server takes neither NUL nor half of a surrogate pair, nor longer keys: one of them would have each report refused. */
const isStorable = (text: string) => text.isWellFormed() && !text.includes('\0')
const Key = z.string().min(1).max(128).refine(isStorable)
const Person = SeenAttendee.refine(({ key, name, customer_key }) => isStorable(key + name + (customer_key ?? '')))

export const FromSeat = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('state'),
    powers: SeatPowers,
    connection: z.enum(['joining', 'in', 'reconnecting']),
    trouble: SeatTrouble.nullable(),
    zoom_code: z.number().nullable(),
    is_recording: z.boolean(),
    can_see_speaking: z.boolean(),
    // `ready`: Zoom's own button joins the sound. A silent seat stays `off`.
    sound: z.enum(['off', 'ready', 'on']).default('off'),
  }),
  // At most four times a second, merged in between: the whole list with `full`, otherwise what has changed.
  z.object({
    type: z.literal('people'),
    full: z.boolean(),
    attendees: z.array(Person),
    left: z.array(Key),
  }),
  z.object({ type: z.literal('speaking'), keys: z.array(Key).max(3) }),
  z.object({
    type: z.literal('done'),
    id: z.string().max(64).refine(isStorable),
    outcome: SeatOutcome,
    code: z.number().optional(),
  }),
  z.object({ type: z.literal('guarded'), key: Key, times: z.int().min(1).max(100) }),
  z.object({
    type: z.literal('ended'),
    reason: z.enum(['left', 'meeting_ended', ...SeatTrouble.options]),
    zoom_code: z.number().nullable(),
  }),
])
export type FromSeat = z.infer<typeof FromSeat>
