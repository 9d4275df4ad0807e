import type { Attendee } from '../events.ts'

type Answer = {
  method: string
  status: boolean
  errorCode: number
  errorMessage: string | null
  result: unknown
}

type Failure = readonly [errorCode: number, errorMessage: string]

/** Error codes of Zoom's Meeting SDK for Web. */
export const FAILURES = {
  failed: [1, 'Fail to join the meeting.'],
  notInit: [2, 'Meeting not initialized.'],
  joinFirst: [3008, 'Please join meeting first!'],
  frequentCall: [3633, 'You have reached the API limit for this call.'],
  twoTokens: [3636, 'Token error: obfToken and zak cannot be used simultaneously'],
  reconnecting: [4000, 'reconnecting socket!'],
  disconnected: [4001, 'disconnect!'],
} as const satisfies Record<string, Failure>

/** Maps the join errors of other SDK editions, which the emulator uses, to those of the web edition. */
const AT_JOINING: Record<number, Failure> = {
  4: [3004, 'Meeting Passcode wrong.'],
  7: [3008, 'Meeting has not started'],
  8: [3610, 'Meeting does not exist.'],
  501: [4017, 'Authorized user not in meeting.'],
  502: FAILURES.twoTokens,
  503: [3623, 'Token error'],
  504: [
    4013,
    'This join flow is not supported, please join the meeting with a Zoom Client or contact your meeting host.',
  ],
  505: [4014, 'The OBF token is invalid. Please check the OBF token and try again.'],
  506: [4015, 'The meeting number associated with the provided OBF token does not match the current meeting.'],
  3705: [3705, 'The signature has expired.'],
  3712: [3712, 'Signature is invalid.'],
}

export const failureAtJoining = (code: number): Failure => AT_JOINING[code] ?? FAILURES.failed

export function answerSuccess(callback: unknown, method: string, result: unknown = null) {
  call(callback, { method, status: true, errorCode: 0, errorMessage: null, result })
}

export function answerFailure(callback: unknown, method: string, [errorCode, errorMessage]: Failure) {
  call(callback, { method, status: false, errorCode, errorMessage, result: null })
}

function call(callback: unknown, answer: Answer) {
  if (typeof callback === 'function') callback(answer)
}

/** Has the fields and values of the SDK's participant, and no others: a role or state that is off may be an empty text. */
export function userOf(attendee: Attendee, selfId: number | undefined) {
  const { userId, userName, muted, audio, isHost, isCoHost, isGuest, isHold, raiseHand } = attendee
  return {
    userId,
    self: userId === selfId,
    userName,
    muted,
    audio,
    isHost,
    isCoHost: isCoHost || '',
    isGuest,
    isHold,
    persistentID: attendee.participantUUID,
    participantUUID: attendee.participantUUID,
    customerKey: attendee.customerKey,
    video: false,
    raiseHand,
    sharingStatus: 'stopped',
    isBotUser: false,
    botBrandName: '',
    botAuthorizerName: '',
  }
}
