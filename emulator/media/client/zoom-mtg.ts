import { FAILURES, fail, failureAtJoining, succeed } from './answers.ts'
import { Meeting } from './meeting.ts'
import type { JoinBody } from './wire.ts'

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

const LIMIT_MS = { join: 10_000, mute: 1000 }
const LEFT_BY_SELF = 2
/** Zoom goes to the leave address a moment after it has answered. */
const LEAVE_MS = 100
const KEY_LENGTH = 36

/** The part of `window.ZoomMtg` that Parley uses, and nothing else of it. */
export type StandIn = ReturnType<typeof createZoomMtg>

export function createZoomMtg(origin: string) {
  const listeners = new Map<string, unknown[]>()
  const calledAt = { join: Number.NEGATIVE_INFINITY, mute: Number.NEGATIVE_INFINITY }
  let options: InitArguments | null = null
  let meeting: Meeting | null = null

  const emit = (event: string, data: unknown) => {
    for (const listener of listeners.get(event) ?? []) if (typeof listener === 'function') listener(data)
  }

  function isTooOften(method: keyof typeof LIMIT_MS) {
    if (performance.now() - calledAt[method] < LIMIT_MS[method]) return true
    calledAt[method] = performance.now()
    return false
  }

  /** Null, after the error callback, where no meeting is joined. */
  function joined(method: string, { error }: Callbacks): Meeting | null {
    if (!options) fail(error, method, FAILURES.notInit)
    else if (meeting?.stage === 'reconnecting') fail(error, method, FAILURES.reconnecting)
    else if (meeting?.stage === 'over') fail(error, method, FAILURES.disconnected)
    else if (meeting?.stage !== 'in') fail(error, method, FAILURES.joinFirst)
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
      meeting ??= new Meeting(origin, emit)
      window.addEventListener('pagehide', () => {
        if (options?.leaveOnPageUnload) meeting?.leave()
      })
      queueMicrotask(() => succeed(args.success, 'init'))
    },

    join(args: JoinArguments) {
      if (!options) return fail(args.error, 'join', FAILURES.notInit)
      if (args.zak && args.obfToken) return fail(args.error, 'join', FAILURES.twoTokens)
      if (isTooOften('join')) return fail(args.error, 'join', FAILURES.frequentCall)
      if (!meeting || meeting.stage === 'over') meeting = new Meeting(origin, emit)
      void meeting.join(bodyOf(args)).then((code) => {
        if (code === null) succeed(args.success, 'join')
        else fail(args.error, 'join', failureAtJoining(code))
      })
    },

    getCurrentUser(args: Callbacks) {
      const currentUser = joined('getCurrentUser', args)?.attendees[0]
      if (currentUser) succeed(args.success, 'getCurrentUser', { currentUser })
    },

    getAttendeeslist(args: Callbacks) {
      const attendeesList = joined('getAttendeeslist', args)?.attendees
      if (attendeesList) succeed(args.success, 'getAttendeeslist', { attendeesList })
    },

    mute(args: MuteArguments) {
      const current = joined('mute', args)
      if (!current) return
      if (isTooOften('mute')) return fail(args.error, 'mute', FAILURES.frequentCall)
      if (args.userId !== current.self?.userId) return fail(args.error, 'mute', FAILURES.others)
      if (!args.mute && !current.mayUnmute) return fail(args.error, 'mute', FAILURES.noMicrophone)
      void current.setMuted(args.mute).then(
        () => succeed(args.success, 'mute'),
        () => fail(args.error, 'mute', FAILURES.failed),
      )
    },

    leaveMeeting(args: Callbacks) {
      if (!meeting || !options) return fail(args.error, 'leaveMeeting', FAILURES.notInit)
      const address = resolveLeaveUrl(options.leaveUrl)
      emit('onUserLeave', { reasonCode: LEFT_BY_SELF })
      meeting.leave()
      succeed(args.success, 'leaveMeeting')
      setTimeout(() => window.location.assign(address), LEAVE_MS)
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

/** `/left` is on this site, and `example.org` is an address of its own. */
function resolveLeaveUrl(leaveUrl: string) {
  if (/^(https?|about):/.test(leaveUrl)) return leaveUrl
  return leaveUrl.startsWith('/') ? window.location.origin + leaveUrl : `https://${leaveUrl}`
}

/** The stand-in speaks English alone. */
function createI18n() {
  return {
    load: async (_language: string | object, _name?: string) => undefined,
    onLoad: (callback: unknown) => {
      if (typeof callback === 'function') queueMicrotask(() => callback('success'))
    },
    getAll: (_language: string) => ({}),
    getCurrentLang: () => 'en-US',
  }
}
