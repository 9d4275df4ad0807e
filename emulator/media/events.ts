/** A participant in the Meeting SDK's format and names. */
export type Attendee = {
  userId: number
  userName: string
  muted: boolean
  audio: '' | 'computer' // '': has not joined the audio, so neither hears nor is heard
  isHost: boolean
  isGuest: boolean
  participantUUID: string
  customerKey: string
}

export type Speaker = Pick<Attendee, 'userId' | 'userName'>
export type RecordingState = 'on' | 'off' | 'paused'

/** The SDK's reasons for leaving: other, ended by the host, left, removed by the host. */
export const LEFT = { other: 0, ended: 1, left: 2, removed: 6 } as const
export type LeftCode = (typeof LEFT)[keyof typeof LEFT]

/** The messages of a page's event stream. */
export type MeetingEvent =
  | { type: 'state'; attendees: Attendee[]; recording: RecordingState }
  | { type: 'joined'; attendee: Attendee }
  | { type: 'updated'; attendee: Attendee }
  | { type: 'left'; attendee: Attendee }
  | { type: 'speakers'; speakers: Speaker[] }
  | { type: 'recording'; recording: RecordingState }
  | { type: 'ended'; reasonCode: LeftCode }
  | { type: 'ping' }
