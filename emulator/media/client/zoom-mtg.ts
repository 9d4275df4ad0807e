import type { Order } from '../order.ts'
import { answerFailure, answerSuccess, FAILURES, failureAtJoining, type SdkFailure } from './answers.ts'
import type { JoinBody } from './emulator-connection.ts'
import { MeetingClient } from './meeting.ts'

type Callbacks = { success?: unknown; error?: unknown }
type InitArguments = Callbacks & {
  leaveUrl: string
  leaveOnPageUnload?: boolean
  disableJoinAudio?: boolean
  audioPanelAlwaysOpen?: boolean // the stand-in's panel always is
}
type OfUser = Callbacks & { userId: number }
type JoinArguments = Callbacks & {
  signature: string
  meetingNumber: string | number
  userName: string
  passWord?: string
  customerKey?: string
  zak?: string
  obfToken?: string
}

/** The same values as in the program of @zoom/meetingsdk 6.2.0, which limits functions, not people. */
const LIMIT_MS: Record<string, number> = {
  ...{ join: 10_000, mute: 1000, muteAll: 5000, expel: 5000, putOnHold: 100, makeHost: 2000, makeCoHost: 2000 },
  ...{ withdrawCoHost: 2000, reclaimHost: 5000, raiseHand: 1000, lowerHand: 1000, lowerAllHands: 1000 },
}
const KEY_LENGTH = 36

/** The subset of `window.ZoomMtg` that Parley uses. */
export type ZoomMtgStandIn = ReturnType<typeof createZoomMtg>

export function createZoomMtg(origin: string) {
  const listeners = new Map<string, unknown[]>()
  const calledAt = new Map<string, number>()
  let options: InitArguments | null = null
  let meeting: MeetingClient | null = null

  const goToLeaveUrl = () => window.location.assign(resolveLeaveUrl(options?.leaveUrl ?? ''))

  const emit = (event: string, data: unknown) => {
    for (const listener of listeners.get(event) ?? []) if (typeof listener === 'function') listener(data)
  }

  const isLimited = (method: string) =>
    performance.now() - (calledAt.get(method) ?? Number.NEGATIVE_INFINITY) < (LIMIT_MS[method] ?? 0)
  const limit = (method: string) => calledAt.set(method, performance.now())
  const newMeeting = () =>
    new MeetingClient(origin, emit, goToLeaveUrl, { disableJoinAudio: options?.disableJoinAudio === true })

  /** Returns the joined meeting. Without one it calls the error callback and returns null. */
  function joined(method: string, { error }: Callbacks): MeetingClient | null {
    if (!options) answerFailure(error, method, FAILURES.notInit)
    else if (meeting?.stage === 'reconnecting') answerFailure(error, method, FAILURES.reconnecting)
    else if (meeting?.stage === 'over') answerFailure(error, method, FAILURES.disconnected)
    else if (meeting?.stage !== 'in') answerFailure(error, method, FAILURES.joinFirst)
    else return meeting
    return null
  }

  /** Stays silent if called too soon. Otherwise answers once the order is sent; its result shows later. */
  function order(method: string, args: Callbacks, give: (current: MeetingClient) => SdkFailure | undefined) {
    if (isLimited(method)) return false
    const current = joined(method, args)
    if (!current) return
    const failure = give(current)
    if (failure) return answerFailure(args.error, method, failure)
    limit(method)
    answerSuccess(args.success, method)
  }

  function orderAsHost(order: Order) {
    return (current: MeetingClient): SdkFailure | undefined => {
      if (!current.self?.isHost && !current.self?.isCoHost) return FAILURES.neitherHost
      current.order(order)
    }
  }

  function orderAsHostOnly(order: Order) {
    return (current: MeetingClient): SdkFailure | undefined => {
      if (!current.self?.isHost) return FAILURES.notHost
      current.order(order)
    }
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
      meeting ??= newMeeting()
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
      if (!meeting || meeting.stage === 'over') meeting = newMeeting()
      void meeting.join(bodyOf(args)).then((code) => {
        if (code === null) answerSuccess(args.success, 'join')
        else answerFailure(args.error, 'join', failureAtJoining(code))
      })
    },

    getCurrentUser(args: Callbacks) {
      const currentUser = joined('getCurrentUser', args)?.currentUser
      if (currentUser) answerSuccess(args.success, 'getCurrentUser', { currentUser })
    },

    getAttendeeslist(args: Callbacks) {
      const attendeesList = joined('getAttendeeslist', args)?.attendees
      if (attendeesList) answerSuccess(args.success, 'getAttendeeslist', { attendeesList })
    },

    /** Does not check the role of the caller, unlike the others. */
    mute: (args: OfUser & { mute: boolean }) =>
      order('mute', args, (current) => {
        const { userId, mute } = args
        if (userId === current.self?.userId) current.orderMuted(mute)
        else current.order({ do: 'mute', userId, mute })
        return undefined
      }),

    muteAll: (args: Callbacks & { muteAll: boolean }) =>
      order('muteAll', args, orderAsHost({ do: 'muteAll', muteAll: args.muteAll })),
    expel: (args: OfUser) => order('expel', args, orderAsHost({ do: 'expel', userId: args.userId })),
    putOnHold: (args: OfUser & { hold: boolean }) =>
      void order('putOnHold', args, orderAsHost({ do: 'putOnHold', userId: args.userId, hold: args.hold })),
    admitAll: (args: Callbacks) => void order('admitAll', args, orderAsHost({ do: 'admitAll' })),
    makeHost: (args: OfUser) => order('makeHost', args, orderAsHostOnly({ do: 'makeHost', userId: args.userId })),
    makeCoHost: (args: OfUser) => order('makeCoHost', args, orderAsHostOnly({ do: 'makeCoHost', userId: args.userId })),
    withdrawCoHost: (args: OfUser) =>
      order('withdrawCoHost', args, orderAsHostOnly({ do: 'withdrawCoHost', userId: args.userId })),

    reclaimHost: (args: Callbacks) =>
      order('reclaimHost', args, (current) => {
        const self = current.currentUser
        if (self?.isHost || !self?.isOriginhost) return FAILURES.cannotReclaim
        current.order({ do: 'reclaimHost' })
        return undefined
      }),

    raiseHand: (args: Callbacks) =>
      void order('raiseHand', args, (current) => {
        if (!current.self?.raiseHand) current.orderHand(true)
        return undefined
      }),

    /** Lowers one's own hand if it names nobody. */
    lowerHand: (args: Callbacks & { userId?: number }) =>
      void order('lowerHand', args, (current) => {
        const { userId } = args
        if (!userId || userId === current.self?.userId) return void current.orderHand(false)
        if (!current.self?.isHost && !current.self?.isCoHost) return FAILURES.neitherHost
        const named = current.attendees.find((attendee) => attendee.userId === userId)
        if (!named) return FAILURES.notFound
        if (named.raiseHand) current.order({ do: 'lowerHand', userId })
        return undefined
      }),

    lowerAllHands: (args: Callbacks) => void order('lowerAllHands', args, orderAsHost({ do: 'lowerAllHands' })),

    /** Needs no joined audio, as in Zoom's program, and refuses what is so already. */
    stopIncomingAudio(args: Callbacks & { stop: boolean }) {
      const current = joined('stopIncomingAudio', args)
      if (!current) return
      const { isIncomingStopped: wasStopped } = current
      if (wasStopped === args.stop)
        return answerFailure(args.error, 'stopIncomingAudio', wasStopped ? FAILURES.isStopped : FAILURES.isStarted)
      current.stopIncomingAudio(args.stop)
      answerSuccess(args.success, 'stopIncomingAudio')
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
