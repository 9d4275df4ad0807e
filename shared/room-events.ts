import { z } from 'zod'
import { Time } from './envelope.ts'
import { PhoneAudio, PhoneMicrophone } from './mobile.ts'
import { Moderator } from './moderators.ts'
import { WordEvent } from './phone-words.ts'
import { Attendee, Seat, SeatCommand, SeatOutcome } from './seat.ts'
import { PHONE_SESSION_ENDS } from './session-end.ts'
import { Turn } from './turns.ts'

export const DeactivationReason = z.enum(PHONE_SESSION_ENDS)
export type DeactivationReason = z.infer<typeof DeactivationReason>

/** Consoles alone get who acted. */
const Actor = { by_id: z.string().optional(), by_name: z.string().optional() }

/** The events of a room's stream, by name. `user_id` is the user's `id`, never its U000001. */
export const RoomEvents = {
  test: z.object({ server_time: Time }),
  'host-mute-all': z.object({
    room_id: z.string(),
    active: z.boolean(),
    except: z.array(z.string()).optional(), // excluded from the mute
    by: z.string().optional(),
    ...Actor,
  }),
  'user-speaking-status': z.object({
    user_id: z.string(),
    is_speaking: z.boolean(),
    speaking_since: Time.nullable(),
  }),
  'user-speaker-toggle': z.object({
    user_id: z.string(),
    speaker_on: z.boolean(),
    wants_to_speak: z.boolean(),
    wants_to_speak_at: Time.nullable(),
  }),
  'user-mute-status': z.object({ user_id: z.string(), is_muted: z.boolean(), by: z.string(), ...Actor }),
  'user-deactivated': z.object({ user_id: z.string(), reason: DeactivationReason }),
  'user-online': z.object({
    user_id: z.string(),
    is_online: z.boolean(),
    asleep: z.boolean().optional(),
    audio: PhoneAudio.nullish().catch(null),
    zoom_code: z.number().nullish(),
    microphone: PhoneMicrophone.nullish(),
    asked_to_speak: z.boolean().optional(), // false: the user declined
  }),
  'phone-requests': z.object({ room_id: z.string() }), // the set of new phones that wait for the host has changed
  'user-muted-again': z.object({ user_id: z.string() }), // in Zoom's own interface; the app closed it again
  'meeting-runs': z.object({
    room_id: z.string(),
    is_running: z.boolean(),
    spread_ms: z.int().min(0), // a waiting phone retries within this time, each at a random moment
  }),
  turn: Turn, // for consoles, and for the phone of the user who has the floor
  word: WordEvent, // for phones: the word of the host that stands there
  moderators: z.object({ moderators: z.array(Moderator) }), // for consoles, when the list has changed
  'commands-acknowledged': z.object({ user_ids: z.array(z.string()) }), // no command is pending for them now
  // For consoles: the room's seat, and who is in the Zoom meeting. A console that was away asks for the whole list.
  seat: Seat,
  attendees: z.object({ epoch: z.int(), changed: z.array(Attendee), left: z.array(z.string()) }),
  'attendees-speaking': z.object({ keys: z.array(z.string()) }),
  'seat-command': SeatCommand,
  'command-settled': z.object({ id: z.string(), outcome: SeatOutcome, by: z.enum(['phone', 'seat']) }),
} as const

export type RoomEventName = keyof typeof RoomEvents
export const ROOM_EVENT_NAMES = Object.keys(RoomEvents).filter(isRoomEventName)

function isRoomEventName(name: string): name is RoomEventName {
  return name in RoomEvents
}

export type RoomEvent = { [N in RoomEventName]: { name: N; data: z.infer<(typeof RoomEvents)[N]> } }[RoomEventName]

export const SEAT_EVENTS = ['seat', 'attendees', 'attendees-speaking', 'seat-command', 'command-settled'] as const
export type SeatEventName = (typeof SEAT_EVENTS)[number]
export type SeatEvent = Extract<RoomEvent, { name: SeatEventName }>

export function isSeatEvent(event: RoomEvent): event is SeatEvent {
  return SEAT_EVENTS.some((name) => name === event.name)
}

/** Parses one event of the stream; null if this version does not know the name. */
export function parseRoomEvent(name: string, data: string): RoomEvent | null {
  if (!isRoomEventName(name)) return null
  return { name, data: RoomEvents[name].parse(JSON.parse(data)) } as RoomEvent // TypeScript cannot correlate the pair
}

/** The longest interval between a phone's status calls. */
export const HEARTBEAT_MS = 10_000
/** A phone is online while its last heartbeat is younger than this. */
export const PRESENCE_LEASE_MS = 30_000
/** An online phone counts as not responding when its last heartbeat is older than this. */
export const ASLEEP_AFTER_MS = 15_000
/** The longest interval between a stream's comments, which keep proxies from closing it. */
export const STREAM_COMMENT_MS = 15_000
