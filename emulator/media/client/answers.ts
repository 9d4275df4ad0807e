import type { Attendee } from '../events.ts'

type Answer = {
  method: string
  status: boolean
  errorCode: number
  errorMessage: string | null
  result: unknown
}

export type SdkFailure = readonly [errorCode: number, errorMessage: string | null]

/** Error codes of Zoom's Meeting SDK for Web. */
export const FAILURES = {
  failed: [1, 'Fail to join the meeting.'],
  neitherHost: [1, 'Current user is neither host nor cohost'],
  notFound: [1, "can't find userId"],
  isStopped: [1, 'you had stop incoming audio'],
  isStarted: [1, 'you had started incoming audio'],
  cannotReclaim: [
    1,
    'only the original host or alternative host (when original host is not present) can reclaim host, please use claimHost',
  ],
  notInit: [2, 'Meeting not initialized.'],
  notHost: [3003, null],
  joinFirst: [3008, 'Please join meeting first!'],
  frequentCall: [3633, 'You have reached the API limit for this call.'],
  twoTokens: [3636, 'Token error: obfToken and zak cannot be used simultaneously'],
  reconnecting: [4000, 'reconnecting socket!'],
  disconnected: [4001, 'disconnect!'],
} as const satisfies Record<string, SdkFailure>

/** Maps the join errors of other SDK editions, which the emulator uses, to those of the web edition. */
const AT_JOINING: Record<number, SdkFailure> = {
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
  3708: [3708, 'Incorrect role.'],
  3711: [3711, 'Cannot not host another meeting concurrently.'],
  3712: [3712, 'Signature is invalid.'],
  4005: [4005, 'The meeting has reached its capacity.'],
  4006: [4006, 'This meeting has been locked by the host.'],
  4008: [4008, "You've already joined this meeting on another device."],
}

export const failureAtJoining = (code: number): SdkFailure => AT_JOINING[code] ?? FAILURES.failed

export function answerSuccess(callback: unknown, method: string, result: unknown = null) {
  call(callback, { method, status: true, errorCode: 0, errorMessage: null, result })
}

export function answerFailure(callback: unknown, method: string, [errorCode, errorMessage]: SdkFailure) {
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
