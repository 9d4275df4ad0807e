import { z } from 'zod'
import { answer, Time } from './envelope.ts'
import { PhoneWords } from './phone-words.ts'
import { NextMeeting } from './planned-meetings.ts'
import { tooLongMessage } from './too-long-message.ts'

export const MobileLogin = z.object({
  host_id: z.string('Host ID is required').trim().min(1, 'Host ID is required').max(32, tooLongMessage(32)),
  username: z.string('Username is required').trim().min(1, 'Username is required').max(64, tooLongMessage(64)),
  password: z.string('Password is required').min(1, 'Password is required').max(1024, tooLongMessage(1024)),
  device_id: z.string('Device ID is required').trim().min(1, 'Device ID is required').max(128, tooLongMessage(128)),
  device_secret: z.string().max(128, tooLongMessage(128)).nullish(), // null: the app stores one and has none yet
  device_model: z.string().trim().max(128).nullish(),
  platform: z.enum(['android', 'ios', 'web']),
  app_version: z.string().trim().max(32).nullish(),
})
export type MobileLogin = z.input<typeof MobileLogin>

export const MobileUser = z.object({
  id: z.string(),
  user_id: z.string(),
  username: z.string(),
  reference: z.string().nullable(),
  is_host: z.boolean(),
})

export const MobileRoom = z.object({
  room_id: z.string(),
  room_name: z.string(),
  zoom_meeting_id: z.string().nullable(),
  next_meeting: NextMeeting.optional(), // the running or the next planned one; absent if none is planned
  shared_recordings: z.number().int().optional(), // that this phone can play; the former release sends none
})

export const MobileApp = z.object({
  user_title: z.string().nullable(),
  helpline: z.string().nullable(),
  message: z.string().nullable(),
  logo_url: z.string().nullable(),
  allow_recording: z.boolean(),
})

/** The part of a room that a phone shows before sign-in. */
/** The public part of a room: anybody who enters its Host ID sees it. */
export const RoomBranding = z.object({
  host_id: z.string(), // as typed: H000001
  room_name: z.string(),
  user_title: z.string().nullable(),
  logo_url: z.string().nullable(),
})
export type RoomBranding = z.infer<typeof RoomBranding>
export const RoomBrandingAnswer = answer(RoomBranding)

export const MobileLoginAnswer = answer(
  z.object({
    token: z.string(),
    device_secret: z.string().optional(),
    user: MobileUser,
    room: MobileRoom,
    app: MobileApp,
  }),
)

/** The phone's meeting audio, as far as the app knows it. */
export const PhoneAudio = z.enum([
  'off',
  'joining',
  'waiting', // for the host to start the meeting, or to admit the phone
  'ready', // in the meeting, but Zoom's Join Audio needs a tap
  'on',
  'blocked',
  'lost',
  'refused', // by Zoom while joining
  'removed', // by the host, in Zoom
])
export type PhoneAudio = z.infer<typeof PhoneAudio>

/** The state of the phone's microphone, as far as the app knows it. */
export const PhoneMicrophone = z.enum(['usable', 'refused', 'missing'])
export type PhoneMicrophone = z.infer<typeof PhoneMicrophone>

export const LiveState = z.object({
  is_muted: z.boolean(),
  speaker_on: z.boolean(),
  wants_to_speak: z.boolean(),
  is_speaking: z.boolean(),
  host_mute_all_active: z.boolean(),
  asked_to_speak: z.boolean().optional(), // by the host, and not answered yet
  words: PhoneWords.optional(), // of the host, and not read yet; the former release sends none
})
export type LiveState = z.infer<typeof LiveState>

export const MobileMeAnswer = answer(z.object({ user: MobileUser, room: MobileRoom, app: MobileApp, state: LiveState }))

/** An absent or empty body is a heartbeat. */
export const MobileStatus = z
  .object({
    is_speaking: z.boolean().optional(),
    speaker_on: z.boolean().optional(),
    wants_to_speak: z.boolean().optional(),
    audio: PhoneAudio.optional(),
    microphone: PhoneMicrophone.optional(),
    declined: z.boolean().optional(), // the user answered "Not now" when the host asked to speak
    zoom_code: z.number().int().min(0).max(99_999).nullish(), // the code of Zoom's last refusal
    muted_again: z.boolean().optional(), // the user opened the microphone in Zoom while muted, and the app closed it
    awake: z.boolean().optional(), // false: the phone's page is in the background and may soon stop reporting
    left: z.boolean().optional(), // the user left the room on purpose: still signed in, but offline at once
    rejoined: z.boolean().optional(), // the first call after `left`, maybe at a server that has not heard of that yet
    acks: z.array(z.string().max(64)).max(200).optional(),
  })
  .nullish()
export const MobileStatusAnswer = answer(LiveState)

/** The room as one of its phones sees it. */
export const RoomSummary = z.object({
  online: z.number().int(), // including the host's own phone
  speaking: z.array(z.object({ id: z.string(), username: z.string() })), // the first ten
  waiting: z.number().int(), // for permission to speak
  queue_place: z.number().int().nullable(), // the phone's own place, 1 is next; null if it is not in the queue
  next_meeting: NextMeeting.optional(), // the running or the next planned one, up to 30 s old
})
export type RoomSummary = z.infer<typeof RoomSummary>
export const RoomSummaryAnswer = answer(RoomSummary)

/** Everything that Zoom's Meeting SDK needs to join. */
export const JoinTicket = z.object({
  role: z.literal([0, 1]), // 1: the host's own phone
  sdk_url: z.string(), // the address of the Meeting SDK for Web
  sdk_version: z.string(),
  join_url: z.string(), // for Zoom's own app
  meeting_number: z.string(),
  passcode: z.string(),
  signature: z.string(),
  user_name: z.string(),
  customer_key: z.string(), // the user's id, which Zoom repeats in its events
  obf_token: z.string().optional(), // joins once on behalf of the host
  zak: z.string().optional(), // only for the host's own phone
  expires_at: Time,
})
export type JoinTicket = z.infer<typeof JoinTicket>
export const JoinTicketAnswer = answer(JoinTicket)
