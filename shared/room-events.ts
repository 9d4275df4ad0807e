import { z } from 'zod'
import { Time } from './envelope.ts'
import { PhoneAudio, PhoneMicrophone } from './mobile.ts'
import { PHONE_SESSION_ENDS } from './session-end.ts'

export const DeactivationReason = z.enum(PHONE_SESSION_ENDS)
export type DeactivationReason = z.infer<typeof DeactivationReason>

/** What a room's event stream carries, by event name. `user_id` is the user's `id`, never its U000001. */
export const RoomEvents = {
  test: z.object({ server_time: Time }),
  'host-mute-all': z.object({
    room_id: z.string(),
    active: z.boolean(),
    except: z.array(z.string()).optional(), // not muted with the others
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
  'user-mute-status': z.object({ user_id: z.string(), is_muted: z.boolean(), by: z.string() }),
  'user-deactivated': z.object({ user_id: z.string(), reason: DeactivationReason }),
  'user-online': z.object({
    user_id: z.string(),
    is_online: z.boolean(),
    asleep: z.boolean().optional(),
    audio: PhoneAudio.nullish().catch(null),
    zoom_code: z.number().nullish(),
    microphone: PhoneMicrophone.nullish(),
    asked_to_speak: z.boolean().optional(), // false: the user has said no
  }),
  'phone-requests': z.object({ room_id: z.string() }), // other new phones wait for the host than before
  'user-muted-again': z.object({ user_id: z.string() }), // opened the microphone in Zoom, and the app closed it
  'meeting-runs': z.object({
    room_id: z.string(),
    is_running: z.boolean(),
    spread_ms: z.int().min(0), // a phone that waits asks again within this time, each at a moment of its own
  }),
  'commands-acknowledged': z.object({ user_ids: z.array(z.string()) }), // no command is pending for them now
} as const

export type RoomEventName = keyof typeof RoomEvents
export const ROOM_EVENT_NAMES = Object.keys(RoomEvents).filter(isRoomEventName)

function isRoomEventName(name: string): name is RoomEventName {
  return name in RoomEvents
}

export type RoomEvent = { [N in RoomEventName]: { name: N; data: z.infer<(typeof RoomEvents)[N]> } }[RoomEventName]

/** Reads one event of the stream; null for a name that this version does not know. */
export function parseRoomEvent(name: string, data: string): RoomEvent | null {
  if (!isRoomEventName(name)) return null
  return { name, data: RoomEvents[name].parse(JSON.parse(data)) } as RoomEvent // TypeScript loses which pair it is
}

/** Phones send a status call at least this often. */
export const HEARTBEAT_MS = 10_000
/** A phone is online while its last sign of life is younger than this. */
export const PRESENCE_LEASE_MS = 30_000
/** A phone that is online is shown as not answering when its last sign of life is older than this. */
export const ASLEEP_AFTER_MS = 15_000
/** A stream sends a comment at least this often, so that no proxy closes it. */
export const STREAM_COMMENT_MS = 15_000
