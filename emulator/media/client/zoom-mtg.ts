import { answerFailure, answerSuccess, FAILURES, failureAtJoining } from './answers.ts'
import type { JoinBody } from './emulator-connection.ts'
import { MeetingClient } from './meeting.ts'

type Callbacks = { success?: unknown; error?: unknown }
type InitArguments = Callbacks & { leaveUrl: string; leaveOnPageUnload?: boolean }
type MuteArguments = Callbacks & { userId: number; mute: boolean }
type JoinArguments = Callbacks & {
  signature: string
  meetingNumber: string | number
  userName: string
  passWord?: string
  customerKey?: string
  zak?: string
  obfToken?: string
}

/** The same values as in the program of @zoom/meetingsdk 6.2.0. */
const LIMIT_MS = { join: 10_000, mute: 1000 }
const KEY_LENGTH = 36

/** The subset of `window.ZoomMtg` that Parley uses. */
export type ZoomMtgStandIn = ReturnType<typeof createZoomMtg>

export function createZoomMtg(origin: string) {
  const listeners = new Map<string, unknown[]>()
  const calledAt = { join: Number.NEGATIVE_INFINITY, mute: Number.NEGATIVE_INFINITY }
  let options: InitArguments | null = null
  let meeting: MeetingClient | null = null

  const goToLeaveUrl = () => window.location.assign(resolveLeaveUrl(options?.leaveUrl ?? ''))

  const emit = (event: string, data: unknown) => {
    for (const listener of listeners.get(event) ?? []) if (typeof listener === 'function') listener(data)
  }

  const isLimited = (method: keyof typeof LIMIT_MS) => performance.now() - calledAt[method] < LIMIT_MS[method]
  const limit = (method: keyof typeof LIMIT_MS) => {
    calledAt[method] = performance.now()
  }

  /** Returns the joined meeting. Without one it calls the error callback and returns null. */
  function joined(method: string, { error }: Callbacks): MeetingClient | null {
    if (!options) answerFailure(error, method, FAILURES.notInit)
    else if (meeting?.stage === 'reconnecting') answerFailure(error, method, FAILURES.reconnecting)
    else if (meeting?.stage === 'over') answerFailure(error, method, FAILURES.disconnected)
    else if (meeting?.stage !== 'in') answerFailure(error, method, FAILURES.joinFirst)
    else return meeting
    return null
  }

  return {
    i18n: createI18n(),
    setZoomJSLib(_path?: string, _dir?: string) {},
    preLoadWasm() {},
    prepareWebSDK(_origintrials?: string[], _webim?: string, _jsmedia?: string) {},
    checkSystemRequirements: () => ({
      browserInfo: navigator.userAgent,
      browserName: 'Chrome',
      features: ['viewSharing'],
    }),

    init(args: InitArguments) {
      options = args
      meeting ??= new MeetingClient(origin, emit, goToLeaveUrl)
      window.addEventListener('pagehide', () => {
        if (options?.leaveOnPageUnload) meeting?.vanish()
      })
      queueMicrotask(() => answerSuccess(args.success, 'init'))
    },

    join(args: JoinArguments) {
      if (!options) return answerFailure(args.error, 'join', FAILURES.notInit)
      if (args.zak && args.obfToken) return answerFailure(args.error, 'join', FAILURES.twoTokens)
      if (isLimited('join')) return answerFailure(args.error, 'join', FAILURES.frequentCall)
      limit('join')
      if (!meeting || meeting.stage === 'over') meeting = new MeetingClient(origin, emit, goToLeaveUrl)
      void meeting.join(bodyOf(args)).then((code) => {
        if (code === null) answerSuccess(args.success, 'join')
        else answerFailure(args.error, 'join', failureAtJoining(code))
      })
    },

    getCurrentUser(args: Callbacks) {
      const currentUser = joined('getCurrentUser', args)?.attendees[0]
      if (currentUser) answerSuccess(args.success, 'getCurrentUser', { currentUser })
    },

    getAttendeeslist(args: Callbacks) {
      const attendeesList = joined('getAttendeeslist', args)?.attendees
      if (attendeesList) answerSuccess(args.success, 'getAttendeeslist', { attendeesList })
    },

    /** Stays silent if called too soon. Otherwise answers once the order is sent; its result shows later. */
    mute(args: MuteArguments) {
      if (isLimited('mute')) return false
      const current = joined('mute', args)
      if (!current) return
      limit('mute')
      if (args.userId === current.self?.userId) current.orderMuted(args.mute)
      answerSuccess(args.success, 'mute')
    },

    leaveMeeting(args: Callbacks) {
      const current = joined('leaveMeeting', args)
      if (!current) return
      current.leave()
      answerSuccess(args.success, 'leaveMeeting')
    },

    inMeetingServiceListener(event: string, callback: unknown) {
      listeners.set(event, [...(listeners.get(event) ?? []), callback])
    },
  }
}

function bodyOf({ signature, meetingNumber, userName, passWord, customerKey, zak, obfToken }: JoinArguments): JoinBody {
  return {
    signature,
    meeting_number: String(meetingNumber),
    user_name: userName,
    passcode: passWord ?? '',
    ...(customerKey && { customer_key: customerKey.slice(0, KEY_LENGTH) }),
    ...(zak && { zak }),
    ...(obfToken && { obf_token: obfToken }),
  }
}

/** `/left` is on this site, while `example.org` is an external address. */
function resolveLeaveUrl(leaveUrl: string) {
  if (/^(https?|about):/.test(leaveUrl)) return leaveUrl
  return leaveUrl.startsWith('/') ? window.location.origin + leaveUrl : `https://${leaveUrl}`
}

/** The stand-in only supports English. */
function createI18n() {
  return {
    load: async (language: string | object, _name?: string) => {
      if (typeof language === 'string') document.documentElement.lang = language
    },
    onLoad: (callback: unknown) => {
      if (typeof callback === 'function') queueMicrotask(() => callback('success'))
    },
    getAll: (_language: string) => ({}),
    getCurrentLang: () => 'en-US',
  }
}
