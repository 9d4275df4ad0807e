import type { JoinTicket } from '../../shared/mobile.ts'
import type { SoundState, SoundTrouble } from './messages.ts'

export type { SoundState, SoundTrouble } from './messages.ts'

export type MeetingAudioEvents = {
  change: [SoundState]
  level: [number] // the user's own voice, 0 to 1
  event: [string] // the name of an event of Zoom's, for the field report
  ended: [SoundTrouble | 'left' | null] // for good; null: the connection was lost
}

/** The sound of one meeting. The user joins muted, until `unmute`. */
export interface MeetingAudio<Ticket = JoinTicket> {
  readonly state: SoundState
  readonly level: number
  join(ticket: Ticket): Promise<void>
  leave(): Promise<void>
  /** Resolves once the microphone is really off. */
  mute(): Promise<void>
  unmute(): Promise<void>
  on<E extends keyof MeetingAudioEvents>(event: E, listener: (...args: MeetingAudioEvents[E]) => void): unknown
}
