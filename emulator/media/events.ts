/** A participant as the Meeting SDK shows it, under the SDK's own names. */
export type Attendee = {
  userId: number
  userName: string
  muted: boolean
  audio: '' | 'computer' // '': has not joined the audio, and neither hears nor is heard
  isHost: boolean
  isGuest: boolean
  participantUUID: string
  customerKey: string
}

export type Speaker = Pick<Attendee, 'userId' | 'userName'>
export type RecordingState = 'on' | 'off' | 'paused'

/** The SDK's reasons: other, the host has ended the meeting, the participant has left, the host has removed them. */
export const LEFT = { other: 0, ended: 1, left: 2, removed: 6 } as const
export type LeftCode = (typeof LEFT)[keyof typeof LEFT]

/** What reaches a page over its event stream. */
export type MeetingEvent =
  | { type: 'state'; attendees: Attendee[]; recording: RecordingState }
  | { type: 'joined'; attendee: Attendee }
  | { type: 'updated'; attendee: Attendee }
  | { type: 'left'; attendee: Attendee }
  | { type: 'speakers'; speakers: Speaker[] }
  | { type: 'recording'; recording: RecordingState }
  | { type: 'ended'; reasonCode: LeftCode }
  | { type: 'ping' }
