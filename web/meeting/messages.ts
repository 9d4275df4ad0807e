import { z } from 'zod'
import { PhoneAudio } from '../../shared/mobile.ts'

// Messages between the phone app and the meeting's frame. Its origin differs, so it cannot read the session.

/** The part of a join ticket that the frame needs. */
export const FrameTicket = z.object({
  meeting_number: z.string(),
  passcode: z.string(),
  signature: z.string(),
  user_name: z.string(),
  customer_key: z.string(),
  obf_token: z.string().optional(),
  zak: z.string().optional(),
  sdk_url: z.string(),
  sdk_version: z.string(),
})
export type FrameTicket = z.infer<typeof FrameTicket>

/** Window messages from before the port exists. */
export const FRAME_READY = 'parley-frame-ready'
export const FRAME_LEFT = 'parley-frame-left' // through Zoom's own interface
export const APP_PORT = 'parley-app-port'

export const ToFrame = z.discriminatedUnion('type', [
  z.object({ type: z.literal('join'), id: z.number(), ticket: FrameTicket, language: z.string() }),
  z.object({ type: z.literal('hold'), id: z.number() }), // silences the microphone until Zoom has switched it off
  z.object({ type: z.literal('microphone'), id: z.number(), on: z.boolean() }),
  z.object({ type: z.literal('leave'), id: z.number() }),
])
export type ToFrame = z.infer<typeof ToFrame>

/** Reasons for missing sound while the user wants it. */
export const SoundTrouble = z.enum([
  'host_absent', // retried automatically
  'host_unknown', // the meeting runs, but Parley does not know whether the host is in it; retried automatically
  'waiting_room', // Zoom's, until the host admits the user
  'not_connected', // the room has no Zoom meeting
  'unreachable', // Parley's server does not respond; retried automatically
  'sdk_failed', // Zoom's program could not be loaded
  'join_failed', // refused by Zoom, or without a ticket; retried automatically
  'refused', // by Zoom, permanently
  'meeting_ended', // retried automatically
  'removed', // from the meeting, by the host
  'not_admitted', // removed from the waiting room
])
export type SoundTrouble = z.infer<typeof SoundTrouble>

export const SoundState = z.object({
  audio: PhoneAudio.extract(['off', 'joining', 'ready', 'on', 'blocked', 'lost']),
  microphone: z.enum(['off', 'on', 'refused', 'missing', 'silenced']), // silenced: by the system, for a call
  trouble: SoundTrouble.nullable(),
  zoom_code: z.number().nullable(), // the code of a refusal
  speaking: z.array(z.string()), // names, as in the meeting
  people: z.number().nullable(), // in the meeting
  is_recording: z.boolean(),
  is_weak: z.boolean(), // the connection
})
export type SoundState = z.infer<typeof SoundState>

export const SOUND_OFF: SoundState = {
  audio: 'off',
  microphone: 'off',
  trouble: null,
  zoom_code: null,
  speaking: [],
  people: null,
  is_recording: false,
  is_weak: false,
}

export const FromFrame = z.discriminatedUnion('type', [
  z.object({ type: z.literal('done'), id: z.number(), error: z.string().nullable() }),
  z.object({ type: z.literal('state'), state: SoundState }),
  z.object({ type: z.literal('level'), level: z.number() }),
  z.object({ type: z.literal('event'), name: z.string().max(64) }), // of Zoom's, for the field report
  z.object({ type: z.literal('ended'), trouble: z.union([SoundTrouble, z.literal('left')]).nullable() }),
])
export type FromFrame = z.infer<typeof FromFrame>
