import type { LeaveReason } from '../state/memory.ts'

/** A participant in the Meeting SDK's format and names. */
export type Attendee = {
  userId: number
  userName: string
  muted: boolean
  audio: '' | 'computer' | 'phone' // '': has not joined the audio, so neither hears nor is heard
  isHost: boolean
  isCoHost: boolean
  isGuest: boolean
  isHold: boolean // in the waiting room
  raiseHand: boolean
  participantUUID: string
  customerKey: string
}

export type Speaker = Pick<Attendee, 'userId' | 'userName'>
export type SdkRecordingState = 'on' | 'off' | 'paused'

/** The messages of a page's event stream. */
export type SdkEvent =
  | {
      type: 'state'
      attendees: Attendee[]
      recording: SdkRecordingState
      isOriginhost: boolean
      mayUnmute: boolean // participants, themselves
    }
  | { type: 'joined'; attendee: Attendee }
  | { type: 'updated'; attendee: Attendee }
  | { type: 'left'; attendee: Attendee }
  | { type: 'imposed'; change: Partial<Attendee> } // on this page's own participant
  | { type: 'asked' } // by a host, to unmute
  | { type: 'unmuting'; isAllowed: boolean }
  | { type: 'speakers'; speakers: Speaker[] }
  | { type: 'recording'; recording: SdkRecordingState }
  | { type: 'ended'; reasonCode: LeaveReason }
  | { type: 'ping' }
