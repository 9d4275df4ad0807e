import type { RoomSummary } from '../../../shared/mobile.ts'
import type { PhoneState } from '../../../shared/phone/obey.ts'
import type { Login } from '../../../shared/phone/phone.ts'
import type { SoundState } from '../../meeting/meeting-audio.ts'

export type RoomView = {
  login: Omit<Login, 'token' | 'device_secret'>
  state: PhoneState
  sound: SoundState
  is_tap_awaited: boolean // to hear again, after the sound had gone
  connection: 'connecting' | 'open' | 'lost' // to Parley
  unsent_hand: boolean | null // up or down, as soon as Parley is reachable
  unsent_no: boolean // to the host who asked to speak
  now: RoomSummary | null
  join_url: string | null // for the Zoom app, once a ticket was given
}

/** One person's stay in the room, for useSyncExternalStore. */
export interface RoomSession {
  readonly view: RoomView
  subscribe(listener: () => void): () => void
  /** The frame of the meeting is put into this element while the sound is wanted. */
  join(container: HTMLElement): void
  leaveSound(): Promise<void>
  speak(): Promise<void>
  stopSpeaking(): Promise<void>
  raiseHand(): Promise<void>
  lowerHand(): Promise<void>
  /** Answers the host, who asks the person to speak, with no. */
  decline(): Promise<void>
  signOut(): Promise<void>
  close(): void
}
