import { vi } from 'vitest'
import type { SeatOrder, SeatTicket } from '../../shared/seat.ts'
import type { FromSeat, ToSeat } from '../../web/seat/messages.ts'
import { SeatSession } from '../../web/seat/seat-session.ts'
import { ZoomSeat } from '../../web/seat/zoom-seat.ts'
import type { HostZoomMtg, ZoomMtgEventName } from '../../web/zoom/zoom-mtg.ts'

const SELF = 100
/** Zoom shows what a call has done after so long. */
export const EFFECT_MS = 100
const LIMIT_MS = { mute: 1_000, muteAll: 5_000, expel: 5_000, putOnHold: 100, lowerHand: 1_000, lowerAllHands: 1_000 }

export const TICKET: SeatTicket = {
  ...{ role: 1, sdk_url: 'https://sdk.test', sdk_version: '6.2.0', meeting_number: '1', passcode: 'secret' },
  ...{ signature: 'signed', user_name: 'Parley', customer_key: 'seat-1', zak: 'zak' },
  expires_at: '2026-01-01T00:00:00.000Z',
}

export interface FakeUser {
  userId: number
  userName: string
  muted: boolean | null
  audio: string
  isHost: boolean
  isCoHost: boolean | ''
  isGuest: boolean
  isHold: boolean
  participantUUID: string
  customerKey: string
  raiseHand: boolean
  isBotUser: boolean
}

const buildUser = (userId: number, change: Partial<FakeUser> = {}): FakeUser => ({
  ...{ userId, userName: `Guest ${userId}`, muted: false, audio: 'computer', isHost: false, isCoHost: '' as const },
  ...{ isGuest: true, isHold: false, participantUUID: `uuid-${userId}`, customerKey: '', raiseHand: false },
  ...{ isBotUser: false, ...change },
})

/** Simulates Zoom with its limits: a call within them is dropped without an answer, and the others change the list later. */
export function buildStrictZoom({
  refuse,
  ...self
}: Partial<FakeUser> & { refuse?: { join?: object; isSlow?: boolean } } = {}) {
  const users = new Map<number, FakeUser>()
  users.set(SELF, buildUser(SELF, { audio: '', muted: null, isHost: true, ...self }))
  const listeners = new Map<ZoomMtgEventName, (data: unknown) => void>()
  const calls: { name: string; id?: number; muted?: boolean; at: number }[] = []
  const inits: object[] = []
  const lists = { read: 0 }
  let letIn = () => {}
  const joins: object[] = []
  const lastCall = new Map<string, number>()
  const fault = { drops: 0, isIdle: false, error: null as object | null, list: null as object | null }

  const emit = async (event: ZoomMtgEventName, data: unknown) => {
    listeners.get(event)?.(data)
    await vi.advanceTimersByTimeAsync(0)
  }
  const change = (userId: number, what: Partial<FakeUser>) => {
    const user = users.get(userId)
    if (!user) return
    users.set(userId, { ...user, ...what })
    listeners.get('onUserUpdate')?.({ ...user, ...what })
  }
  const leave = (userId: number) => {
    const user = users.get(userId)
    users.delete(userId)
    listeners.get('onUserLeave')?.(user)
  }

  function call(
    name: keyof typeof LIMIT_MS | 'admitAll' | 'reclaimHost',
    { id, muted }: { id?: number; muted?: boolean },
    { success, error }: { success: (answer: unknown) => void; error: (answer: unknown) => void },
    effect: () => void,
  ): unknown {
    const limit = name in LIMIT_MS ? LIMIT_MS[name as keyof typeof LIMIT_MS] : 0
    if (Date.now() - (lastCall.get(name) ?? Number.NEGATIVE_INFINITY) < limit) return false
    lastCall.set(name, Date.now())
    calls.push({ name, ...(id !== undefined && { id }), ...(muted !== undefined && { muted }), at: Date.now() })
    if (fault.drops-- > 0) return false
    if (fault.error) return error(fault.error)
    success({ status: true })
    if (!fault.isIdle) setTimeout(effect, EFFECT_MS)
  }
  const isOther = ({ userId }: FakeUser) => userId !== SELF

  const zoom: HostZoomMtg = {
    setZoomJSLib() {},
    preLoadWasm() {},
    prepareWebSDK() {},
    i18n: { load() {}, onLoad: (run) => run() },
    init({ success, error: _, ...options }) {
      inits.push(options)
      success({})
    },
    join({ success, error, ...options }) {
      joins.push({ ...options, kept: sessionStorage.length, listens: listeners.size > 0 })
      if (refuse?.join) error(refuse.join)
      else if (refuse?.isSlow) letIn = () => success({})
      else success({})
    },
    getCurrentUser: ({ success }) => success({ result: { currentUser: { ...users.get(SELF) } } }),
    getAttendeeslist({ success }) {
      lists.read++
      if (fault.list) return success(fault.list)
      const isHeld = users.get(SELF)?.isHold
      success({ result: isHeld ? 'You are be put in waiting room' : { attendeesList: [...users.values()] } })
    },
    mute: ({ userId, mute, ...callbacks }) =>
      call('mute', { id: userId, muted: mute }, callbacks, () => mute && change(userId, { muted: true })),
    muteAll: ({ muteAll, ...callbacks }) =>
      call('muteAll', { muted: muteAll }, callbacks, () => {
        if (!muteAll) return
        for (const user of [...users.values()].filter(isOther)) change(user.userId, { muted: true })
      }),
    expel: ({ userId, ...callbacks }) => call('expel', { id: userId }, callbacks, () => leave(userId)),
    putOnHold: ({ userId, hold, ...callbacks }) =>
      call('putOnHold', { id: userId }, callbacks, () => change(userId, { isHold: hold })),
    admitAll: (callbacks) =>
      call('admitAll', {}, callbacks, () => {
        for (const { userId, isHold } of [...users.values()]) if (isHold) change(userId, { isHold: false })
      }),
    lowerHand: ({ userId, ...callbacks }) =>
      call('lowerHand', { id: userId }, callbacks, () => change(userId, { raiseHand: false })),
    lowerAllHands: (callbacks) =>
      call('lowerAllHands', {}, callbacks, () => {
        for (const { userId, raiseHand } of [...users.values()]) if (raiseHand) change(userId, { raiseHand: false })
      }),
    reclaimHost: (callbacks) => call('reclaimHost', {}, callbacks, () => change(SELF, { isHost: true })),
    leaveMeeting({ success }) {
      calls.push({ name: 'leaveMeeting', at: Date.now() })
      success({})
    },
    stopIncomingAudio: ({ stop, success }) => {
      calls.push({ name: stop ? 'stopIncomingAudio' : 'startIncomingAudio', at: Date.now() })
      success({})
    },
    inMeetingServiceListener: (event, callback) => listeners.set(event, callback),
  }

  const sent: FromSeat[] = []
  const holdMicrophone = vi.fn()
  const seat = new ZoomSeat({ leaveUrl: 'https://meeting.test/seat/left', load: async () => zoom, holdMicrophone })
  const session = new SeatSession(seat, seat.list, (message) => sent.push(message))
  const receive = (message: ToSeat) => session.receive(message)
  let repeating: ReturnType<typeof setInterval> | undefined
  const allow = (lock: boolean, keys: string[] = []) => receive({ type: 'allow', lock, keys, at: Date.now() })
  const take = <T extends FromSeat['type']>(type: T) =>
    sent.filter((message): message is Extract<FromSeat, { type: T }> => message.type === type)

  return {
    ...{
      users,
      calls,
      inits,
      joins,
      holdMicrophone,
      lists,
      letIn: () => letIn(),
      fault,
      sent,
      session,
      emit,
      change,
      leave,
      receive,
      take,
    },
    add: (userId: number, what: Partial<FakeUser> = {}) => {
      const user = buildUser(userId, what)
      users.set(userId, user)
      listeners.get('onUserJoin')?.(user)
      return user
    },
    async join({ isSilent = true } = {}) {
      receive({ type: 'join', ticket: TICKET, as: 'host', silent: isSilent, language: 'en-US' })
      await vi.advanceTimersByTimeAsync(0)
    },
    order: (id: string, what: SeatOrder, user_id?: number) => receive({ type: 'do', id, what, user_id }),
    outcomes: () => take('done').map(({ id, outcome }) => `${id} ${outcome}`),
    /** Locks as a console does, which says so once a second until it is asleep. */
    lock(keys: string[] = []) {
      clearInterval(repeating)
      repeating = setInterval(() => allow(true, keys), 1_000)
      allow(true, keys)
    },
    unlock() {
      clearInterval(repeating)
      allow(false)
    },
    sleep(ms: number) {
      clearInterval(repeating)
      vi.setSystemTime(Date.now() + ms)
    },
    named: (name: string) => calls.filter((one) => one.name === name),
    speak: (...ids: number[]) =>
      emit(
        'onActiveSpeaker',
        ids.map((userId) => ({ userId, userName: 'x' })),
      ),
  }
}
