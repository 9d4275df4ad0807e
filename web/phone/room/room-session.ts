import type { RoomSummary } from '../../../shared/mobile.ts'
import type { PhoneState } from '../../../shared/phone/obey.ts'
import type { Login } from '../../../shared/phone/phone.ts'
import type { Hearing } from '../../../shared/phone-words.ts'
import type { SoundState } from '../../meeting/meeting-audio.ts'

/** Times are those of `performance.now()`. */
export type SpeakingTurn = { since: number; limitMinutes: number | null }

export type RoomView = {
  login: Omit<Login, 'token' | 'device_secret'>
  state: PhoneState
  sound: SoundState
  is_tap_awaited: boolean // to hear again, after the sound was lost
  connection: 'connecting' | 'open' | 'lost' // to Parley
  unsent_hand: boolean | null // up or down, sent once Parley is reachable
  unsent_no: boolean // the pending "Not now" to the host
  now: RoomSummary | null
  turn: SpeakingTurn | null // while the user has the floor
  join_url: string | null // opens the Zoom app; null until the first ticket
}

/** A user's stay in the room, for useSyncExternalStore. */
export interface RoomSession {
  readonly view: RoomView
  subscribe(listener: () => void): () => void
  /** Puts the meeting's frame into this element while the sound is wanted. */
  join(container: HTMLElement): void
  leaveSound(): Promise<void>
  speak(): Promise<void>
  stopSpeaking(): Promise<void>
  raiseHand(): Promise<void>
  lowerHand(): Promise<void>
  /** Answers "Not now" to a host who asks the user to speak. */
  decline(): Promise<void>
  /** Confirms a word of the host: read, or answered. */
  confirmWord(id: string, answer?: Hearing): Promise<void>
  close(): void
}
