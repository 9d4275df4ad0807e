import type { JoinTicket, PhoneAudio } from '../../../shared/mobile.ts'

/** Why there is no sound although the person wants it. */
export type SoundTrouble =
  | 'host_absent' // the host is not in the meeting yet; tried again by itself
  | 'not_connected' // the room has no Zoom meeting
  | 'sdk_failed' // Zoom's program could not be loaded
  | 'join_failed' // Zoom refused the join
  | 'meeting_ended' // by the host; tried again by itself
  | 'removed' // from the meeting, by the host

export type Microphone = 'off' | 'on' | 'refused' | 'missing'

export type SoundState = {
  audio: PhoneAudio
  microphone: Microphone
  trouble: SoundTrouble | null
  speaking: string[] // names, as the meeting has them
  people: number | null // in the meeting
  is_recording: boolean
  is_weak: boolean // the connection
}

export type MeetingAudioEvents = {
  change: [SoundState]
  level: [number] // of one's own voice, 0 to 1
}

/** The sound of one meeting. Whoever joins is muted until `unmute`. */
export interface MeetingAudio {
  readonly state: SoundState
  readonly level: number
  join(ticket: JoinTicket): Promise<void>
  leave(): Promise<void>
  /** Resolves once the microphone is really off. */
  mute(): Promise<void>
  unmute(): Promise<void>
  on<E extends keyof MeetingAudioEvents>(event: E, listener: (...args: MeetingAudioEvents[E]) => void): unknown
  off<E extends keyof MeetingAudioEvents>(event: E, listener: (...args: MeetingAudioEvents[E]) => void): unknown
}
