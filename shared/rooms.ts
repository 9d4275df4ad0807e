import { z } from 'zod'
import { answer, Done, Time } from './envelope.ts'
import { ZoomStatus } from './hosts.ts'

export const RecordingState = z.enum(['none', 'recording', 'paused'])
export type RecordingState = z.infer<typeof RecordingState>

export const RecordingAction = z.enum(['start', 'pause', 'resume', 'stop'])
export type RecordingAction = z.infer<typeof RecordingAction>

/** Says who is in the meeting with an app of Zoom's own, as Zoom reports it. */
export const InZoomApp = z.object({
  others: z.int(),
  has_host: z.boolean(),
  admits_seat_as_guest: z
    .boolean()
    .default(false)
    .describe("The host's seat may join as a guest too, beside the host: the meeting's Zoom account is the app's own."),
})
export type InZoomApp = z.infer<typeof InZoomApp>

export const Room = z.object({
  room_id: z.string(),
  room_name: z.string(),
  name: z.string(),
  zoom_meeting_id: z.string().nullable(),
  password: z.string().nullable().optional(), // of the meeting; absent for a moderator
  user_count: z.number().int(),
  is_active: z.boolean(),
  is_live: z.boolean(), // true while the room's meeting runs at Zoom
  recording: RecordingState,
  recording_enabled: z.boolean(), // set by the administrator; false: recording is not permitted
  zoom_status: ZoomStatus,
  meeting_uuid: z.string().nullable().default(null), // of the running meeting
  live_since: Time.nullable(), // also null if Zoom has not reported the start of the running meeting
  recording_since: Time.nullable(), // start of the current stretch of recording; null while not recording
  recorded_seconds: z.number().int(), // total of the recording's stretches before the last pause
  participant_count: z.number().int().nullable(), // users in the running meeting, excluding the host; null without one
  in_zoom_app: InZoomApp.nullish(), // null without a running meeting; absent where the server has no seats
  server_time: Time, // lets the console ignore a wrong clock in the browser
})
export type Room = z.infer<typeof Room>

export const RoomAnswer = answer(z.object({ room: Room }))

/** The meeting that the caller saw; any other one is answered with 409 state_changed. A missing body counts as null. */
const SeenMeeting = z.object({ live_since: Time.nullable(), meeting_uuid: z.string().max(64).nullish() })
export type SeenMeeting = z.infer<typeof SeenMeeting>
export const EndMeeting = z.object({ expect: SeenMeeting.optional() }).nullish()
/** A secret: the link opens Zoom as the host for two hours. */
export const StartMeetingAnswer = answer(z.object({ start_url: z.url({ protocol: /^https?$/ }) }))
/** False if Zoom has not accepted it yet; Parley retries. */
export const NewPasscodeAnswer = answer(z.object({ changed: z.boolean() }))
export const RoomDetailsAnswer = Done.extend({ room_id: z.string(), room_name: z.string() })

/** The room of a live call. `meeting_id` is absent if the room has no Zoom. */
export const RoomRef = z.object({ room_id: z.string().min(1).max(64), meeting_id: z.string().max(64).nullish() })
export const HostMuteAllStatus = Done.extend({ host_mute_all_active: z.boolean() })
export const StreamSession = Done.extend({ sessionId: z.string(), sseUrl: z.string() })
export type StreamSession = z.infer<typeof StreamSession>
