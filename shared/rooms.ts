import { z } from 'zod'
import { answer, Done, Time } from './envelope.ts'
import { ZoomStatus } from './hosts.ts'

/** The state of the running meeting's recording. */
export const RecordingState = z.enum(['none', 'recording', 'paused'])
export type RecordingState = z.infer<typeof RecordingState>

export const RecordingAction = z.enum(['start', 'pause', 'resume', 'stop'])
export type RecordingAction = z.infer<typeof RecordingAction>

export const Room = z.object({
  room_id: z.string(),
  room_name: z.string(),
  name: z.string(),
  zoom_meeting_id: z.string().nullable(),
  password: z.string().nullable(),
  user_count: z.number().int(),
  is_active: z.boolean(),
  is_live: z.boolean(), // its meeting runs at Zoom now
  recording: RecordingState,
  recording_enabled: z.boolean(), // by the administrator; else the meeting may not be recorded
  zoom_status: ZoomStatus,
  live_since: Time.nullable(), // null also where Zoom has not reported the start of the running meeting
  recording_since: Time.nullable(), // of the stretch that is being recorded; null while none is
  recorded_seconds: z.number().int(), // of the recording's earlier stretches, before a pause
  participant_count: z.number().int().nullable(), // users in the running meeting, without the host; null while none runs
  server_time: Time, // of this answer, so that a wrong clock in the browser does not show
})
export type Room = z.infer<typeof Room>

export const RoomAnswer = answer(z.object({ room: Room }))

/** An absent body is read as null. `live_since` is that of the meeting that was seen; else 409 state_changed. */
export const EndMeeting = z.object({ expect: z.object({ live_since: Time.nullable() }).optional() }).nullish()
/** Opens Zoom as the host, for two hours: a secret. */
export const StartMeetingAnswer = answer(z.object({ start_url: z.url({ protocol: /^https?$/ }) }))
/** False if Zoom did not accept it yet, and it is retried. */
export const NewPasscodeAnswer = answer(z.object({ changed: z.boolean() }))
export const RoomDetailsAnswer = Done.extend({ room_id: z.string(), room_name: z.string() })

/** The room of a live call. A room without Zoom has no meeting_id. */
export const RoomRef = z.object({ room_id: z.string().min(1).max(64), meeting_id: z.string().max(64).nullish() })
export const HostMuteAllStatus = Done.extend({ host_mute_all_active: z.boolean() })
export const StreamSession = Done.extend({ sessionId: z.string(), sseUrl: z.string() })
export type StreamSession = z.infer<typeof StreamSession>
