import type { LeaveReason } from '../../state/memory.ts'
import type { Attendee, SdkEvent } from '../events.ts'
import type { Order } from '../order.ts'
import { userOf } from './answers.ts'
import { EmulatorConnection, type JoinBody, type PlainJoinBody } from './emulator-connection.ts'
import { StandInPanel } from './panel.ts'
import { MeetingSound } from './sound.ts'

export const MEETING_STATUS = { connecting: 1, connected: 2, disconnected: 3, reconnecting: 4 } as const
const RECORDING = { off: 0, on: 1, paused: 2 } as const
const RECONNECT_MS = 15_000
const AGAIN_AFTER_MS = 1000
const GOOD = 5
const BAD = 1
const LEFT_BY_SELF = 2
/** The reasons of those who leave without wanting to. The end of the meeting only shows in the notice. */
const LEAVE_REASONS: Partial<Record<LeaveReason, [reason: string, notice: string]>> = {
  5: ['You have joined this meeting with another device', 'You have joined this meeting with another device.'],
  6: ['You are removed by host/co-host from meeting', 'You have been removed.'],
  7: ['You are removed by host/co-host from waiting room', 'You have been removed.'],
}
const JOIN_SPEED = { inWaitingRoom: 6, outOfWaitingRoom: 7 } as const
/** Milliseconds between the events and the redirect to the leave address. */
const LEAVE_MS = 500
/** Milliseconds of an order's round trip to Zoom, before which nothing shows it. */
const ORDER_MS = 100
/** The same value as in the bundle of @zoom/meetingsdk 6.2.0. */
const AUDIO_ANIMATION_TIMEOUT_MS = 3_000
const WAITING_ROOM_EVENT_MS = 1_500
const NO_UNMUTING = 'The host is not allowing participants to unmute themselves'

type Stage = 'waiting' | 'in' | 'reconnecting' | 'over'
type Emit = (event: string, data: unknown) => void
/** `tone`: the frequency of a tone in place of the microphone. */
export type MeetingOptions = { disableJoinAudio: boolean; isZoomApp?: boolean; tone?: number }

/** A page's stay in a meeting: the participants, the sound and the state of the connection. */
export class MeetingClient {
  readonly #wire: EmulatorConnection
  readonly #emit: Emit
  readonly #options: MeetingOptions
  readonly #goToLeaveUrl: () => void
  readonly #panel: StandInPanel
  readonly #sound: MeetingSound
  readonly #lost = new Set<'events' | 'sound'>()
  #attendees = new Map<number, Attendee>()
  #uuid = ''
  #token = '' // of this page's own calls
  #stage: Stage = 'waiting'
  #self: Attendee | undefined
  #wantsMuted = false
  #isBusy = false
  #isOriginhost = false
  #mayUnmute = true
  #isAsked = false // to unmute
  #isRecording = false
  #speakers: string[] = []
  #speakersLapse: ReturnType<typeof setTimeout> | undefined
  #notice = ''
  #giveUp = 0
  #entered: (failure: number | null) => void = () => {}
  #hadMicrophone = false

  constructor(origin: string, emit: Emit, goToLeaveUrl: () => void, options: MeetingOptions) {
    this.#options = options
    this.#wire = new EmulatorConnection(origin)
    this.#emit = emit
    this.#goToLeaveUrl = goToLeaveUrl
    this.#panel = new StandInPanel({
      joinAudio: () => void this.joinAudio(),
      raiseHand: (raiseHand) => this.orderHand(raiseHand),
      order: (order) => this.order(order),
      toggleMicrophone: () => void this.#toggleMicrophone(),
      leave: () => this.leave(),
      answerAsked: (unmutes) => void this.#answerAsked(unmutes),
    })
    this.#sound = new MeetingSound(this.#panel.root, {
      onLost: () => this.#loseSound(),
      onFound: () => this.#find('sound'),
      onMicrophoneEnded: () => void this.setMuted(true).catch(() => {}),
      ...(options.tone !== undefined && { tone: options.tone }),
    })
    window.addEventListener('offline', () => this.#goOffline())
    window.addEventListener('online', () => this.#lost.has('events') && this.#follow())
    this.#show()
  }

  get stage() {
    return this.#stage
  }

  get self() {
    return this.#self
  }

  get currentUser() {
    if (!this.#self) return undefined
    return { ...userOf(this.#self, this.#self.userId), isOriginhost: this.#isOriginhost, isAlternativeHost: false }
  }

  /** Lists the current user first. */
  get attendees() {
    const others = [...this.#attendees.values()].filter(({ userId }) => userId !== this.#self?.userId)
    return (this.#self ? [this.#self, ...others] : others).map((attendee) => userOf(attendee, this.#self?.userId))
  }

  /** Resolves with the code of a refusal, or with null once the page is in the meeting. */
  async join(body: JoinBody | PlainJoinBody): Promise<number | null> {
    this.#emit('onMeetingStatus', statusOf('connecting'))
    const answer = await this.#wire.join(body)
    if ('code' in answer) {
      this.#emit('onMeetingStatus', statusOf('disconnected'))
      return answer.code
    }
    this.#uuid = answer.participantUuid
    this.#token = answer.token
    const entered = Promise.withResolvers<number | null>()
    this.#entered = entered.resolve
    this.#follow()
    return entered.promise
  }

  #follow() {
    this.#wire.follow(this.#token, {
      onEvent: (event) => this.#take(event),
      onLost: () => this.#lose('events'),
      onGone: () => this.#finish('You are no longer in the meeting.'),
    })
  }

  /** Disconnects explicitly: a browser that goes offline keeps its connections, and the sound would resume with them. */
  #goOffline() {
    if (this.#stage !== 'in') return
    this.#lose('events')
    this.#follow()
    if (this.#self?.audio !== 'computer') return
    this.#sound.disconnect()
    this.#loseSound()
  }

  /** Mutes or unmutes on the page's call. The result, if any, only shows in the attendee list. */
  orderMuted(muted: boolean) {
    setTimeout(() => {
      if (this.#stage === 'in') void this.setMuted(muted).catch(() => {})
    }, ORDER_MS)
  }

  get isIncomingStopped() {
    return this.#sound.isIncomingStopped
  }

  stopIncomingAudio(stop: boolean) {
    this.#sound.stopIncoming(stop)
  }

  /** Gives an order as host or co-host. */
  order(order: Order) {
    setTimeout(() => {
      if (this.#stage === 'in') void this.#wire.order(this.#token, order)
    }, ORDER_MS)
  }

  orderHand(raiseHand: boolean) {
    setTimeout(() => void this.#raiseHand(raiseHand), ORDER_MS)
  }

  async #raiseHand(raiseHand: boolean) {
    await this.#wire.change(this.#token, { raiseHand }).catch(() => this.#say('That did not work. Please try again.'))
    this.#change({ raiseHand })
  }

  /** Muting silences the page before it notifies the others; unmuting is the reverse. */
  async setMuted(muted: boolean): Promise<void> {
    this.#wantsMuted = muted
    if (muted) {
      this.#sound.openMicrophone(false)
      this.#change({ muted })
    }
    await this.#wire.change(this.#token, { muted })
    if (muted || this.#wantsMuted) return
    if (!(await this.#mayOpenMicrophone())) {
      await this.#wire.change(this.#token, { muted: true })
      throw new Error('There is no microphone.')
    }
    this.#sound.openMicrophone(true)
    this.#change({ muted })
  }

  /** Serves the page's call and its own button: emits both events at once, and goes to the leave address later. */
  leave() {
    this.#emit('onUserLeave', { reason: 'You are leave meeting by yourself', reasonCode: LEFT_BY_SELF })
    this.vanish()
    window.setTimeout(this.#goToLeaveUrl, LEAVE_MS)
  }

  /** Leaves without an event, as the page is closing. */
  vanish() {
    if (this.#token !== '') this.#wire.leave(this.#token)
    this.#finish('You have left the meeting.')
  }

  async #mayOpenMicrophone() {
    if (this.#self?.audio !== 'computer') return true // the microphone opens together with the audio
    return this.#sound.takeMicrophone()
  }

  async #toggleMicrophone() {
    const muted = !this.#self?.muted
    if (!muted) this.#hadMicrophone ||= await this.#sound.takeMicrophone()
    if (!muted && !this.#hadMicrophone) return this.#say('Your microphone is not available.')
    if (!muted && !this.#mayUnmute && !this.#self?.isHost && !this.#self?.isCoHost && !this.#isAsked)
      return this.#say(NO_UNMUTING)
    this.#notice = ''
    await this.setMuted(muted).catch(() => this.#say('That did not work. Please try again.'))
    this.#isAsked = false
  }

  async joinAudio() {
    if (this.#isBusy || !this.#self) return
    this.#isBusy = true
    this.#notice = ''
    this.#show()
    try {
      this.#hadMicrophone = await this.#sound.takeMicrophone()
      if (!this.#hadMicrophone) this.#notice = 'Your microphone is not available: you can listen.'
      await this.#connectSound()
      await this.#sound.play()
      await this.#enterAudio()
    } catch {
      this.#notice = 'The audio could not be joined. Please press again.'
    }
    this.#isBusy = false
    this.#show()
  }

  async #enterAudio() {
    if (!this.#self || this.#stage === 'over') return
    const muted = this.#self.muted || !this.#sound.hasMicrophone
    this.#wantsMuted = muted
    await this.#wire.change(this.#token, { audio: 'computer', muted })
    this.#sound.openMicrophone(!this.#wantsMuted)
    this.#change({ audio: 'computer', muted: this.#wantsMuted })
  }

  #connectSound() {
    return this.#sound.connect((offer) => this.#wire.offer(this.#token, offer))
  }

  #take(event: SdkEvent) {
    if (event.type === 'state') this.#enter(event)
    if (event.type === 'imposed') this.#takeImposed(event.change)
    if (event.type === 'asked' && this.#self?.muted) this.#isAsked = true
    if (event.type === 'unmuting') this.#mayUnmute = event.isAllowed
    if (event.type === 'joined') this.#put(event.attendee, 'onUserJoin')
    if (event.type === 'updated' && event.attendee.userId !== this.#self?.userId)
      this.#put(event.attendee, 'onUserUpdate')
    if (event.type === 'left') {
      this.#attendees.delete(event.attendee.userId)
      this.#emit('onUserLeave', userOf(event.attendee, this.#self?.userId))
    }
    if (event.type === 'speakers') {
      this.#showSpeakers(event.speakers.map(({ userName }) => userName))
      this.#emit('onActiveSpeaker', event.speakers)
    }
    if (event.type === 'recording') this.#record(event.recording)
    if (event.type === 'ended') this.#end(event.reasonCode)
    if (event.type !== 'ping') this.#show()
  }

  /** The end of speech has no event; Zoom's own speaker display also expires after this time. */
  #showSpeakers(names: string[]) {
    clearTimeout(this.#speakersLapse)
    this.#speakers = names
    this.#speakersLapse = setTimeout(() => {
      this.#speakers = []
      this.#show()
    }, AUDIO_ANIMATION_TIMEOUT_MS)
  }

  /** Runs after a reconnect too, when everything may have changed except this page's own state. */
  #enter({ attendees, recording, isOriginhost, mayUnmute }: Extract<SdkEvent, { type: 'state' }>) {
    this.#isOriginhost = isOriginhost
    this.#mayUnmute = mayUnmute
    const ownEntry = attendees.find(({ participantUUID }) => participantUUID === this.#uuid)
    const isFirst = this.#self === undefined
    this.#self ??= ownEntry
    this.#attendees = new Map(attendees.map((attendee) => [attendee.userId, attendee]))
    if (this.#isRecording !== (recording === 'on')) this.#record(recording)
    if (!isFirst) {
      if (ownEntry) this.#takeImposed(imposable(ownEntry))
      return this.#find('events')
    }
    this.#stage = 'in'
    this.#emit('onMeetingStatus', statusOf('connected'))
    this.#emitQuality(GOOD)
    if (this.#self?.isHold) this.#showWaiting()
    else this.#entered(null)
  }

  #put(attendee: Attendee, event: 'onUserJoin' | 'onUserUpdate') {
    const wasHeld = this.#attendees.get(attendee.userId)?.isHold ?? false
    this.#attendees.set(attendee.userId, attendee)
    this.#emit(event, userOf(attendee, this.#self?.userId))
    if (attendee.isHold !== wasHeld) this.#emitWaiting(attendee)
  }

  /** Carries out what others have ordered for this page's own participant. */
  #takeImposed(change: Partial<Attendee>) {
    const wasHeld = this.#self?.isHold
    if (change.muted) {
      this.#wantsMuted = true
      this.#isAsked = false
      this.#sound.openMicrophone(false)
    }
    this.#change(change)
    if (change.isHold !== undefined && change.isHold !== wasHeld) this.#showWaiting()
  }

  /** Shows that this page waits, or that it has been admitted, upon which a join is complete. */
  #showWaiting() {
    if (!this.#self) return
    const { isHold } = this.#self
    this.#emit('onJoinSpeed', { level: isHold ? JOIN_SPEED.inWaitingRoom : JOIN_SPEED.outOfWaitingRoom })
    this.#emitWaiting(this.#self)
    if (!isHold) this.#entered(null)
  }

  /** Comes late, and for others only on the page of a host or co-host. */
  #emitWaiting({ userId, isHold }: Attendee) {
    const self = userId === this.#self?.userId
    if (!self && !this.#self?.isHost && !this.#self?.isCoHost) return
    setTimeout(
      () => this.#emit('onUserIsInWaitingRoom', { self, isInWaitingRoom: isHold, userId }),
      WAITING_ROOM_EVENT_MS,
    )
  }

  async #answerAsked(unmutes: boolean) {
    if (unmutes) await this.#toggleMicrophone()
    this.#isAsked = false
    this.#show()
  }

  #record(recording: keyof typeof RECORDING) {
    this.#isRecording = recording === 'on'
    this.#emit('onRecordingChange', { status: RECORDING[recording] })
  }

  #change(change: Partial<Attendee>) {
    if (!this.#self) return
    const isNew = Object.entries(change).some(([name, value]) => Reflect.get(this.#self ?? {}, name) !== value)
    this.#self = { ...this.#self, ...change }
    if (isNew) this.#emit('onUserUpdate', userOf(this.#self, this.#self.userId))
    this.#show()
  }

  #lose(what: 'events' | 'sound') {
    if (this.#stage === 'waiting' || this.#stage === 'over') return
    this.#lost.add(what)
    if (this.#stage === 'reconnecting') return
    this.#stage = 'reconnecting'
    this.#emit('onMeetingStatus', statusOf('reconnecting'))
    this.#emitQuality(BAD)
    this.#giveUp = window.setTimeout(() => this.#giveUpConnection(), RECONNECT_MS)
    this.#show()
  }

  #loseSound() {
    if (this.#lost.has('sound')) return
    this.#lose('sound')
    void this.#reconnectSound()
  }

  async #reconnectSound() {
    while (this.#stage === 'reconnecting' && this.#lost.has('sound')) {
      const isBack = await this.#connectSound().then(
        () => true,
        () => false,
      )
      if (isBack) await this.#sound.play().catch(() => this.#loseAudio())
      else await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER_MS))
    }
  }

  /** Leaves the audio: the browser plays nothing until another tap. */
  #loseAudio() {
    this.#sound.openMicrophone(false)
    void this.#wire.change(this.#token, { audio: '' }).catch(() => {})
    this.#change({ audio: '' })
  }

  #find(what: 'events' | 'sound') {
    this.#lost.delete(what)
    if (this.#stage !== 'reconnecting' || this.#lost.size > 0) return
    window.clearTimeout(this.#giveUp)
    this.#stage = 'in'
    this.#emit('onMeetingStatus', statusOf('connected'))
    this.#emitQuality(GOOD)
    this.#show()
  }

  #giveUpConnection() {
    this.#wire.leave(this.#token)
    this.#finish('The connection is lost.')
  }

  #end(reasonCode: LeaveReason) {
    if (this.#stage === 'over') return
    const [reason, notice = 'This meeting has been ended by host'] = LEAVE_REASONS[reasonCode] ?? []
    if (reason) this.#emit('onUserLeave', { reason, reasonCode })
    this.#finish(notice)
  }

  #finish(notice: string) {
    if (this.#stage === 'over') return
    this.#stage = 'over'
    this.#lost.clear()
    window.clearTimeout(this.#giveUp)
    this.#wire.close()
    this.#sound.close()
    this.#notice = notice
    this.#emit('onMeetingStatus', statusOf('disconnected'))
    this.#entered(0)
    this.#show()
  }

  #emitQuality(level: number) {
    this.#emit('onNetworkQualityChange', { level, userId: this.#self?.userId, type: 'uplink' })
  }

  #say(notice: string) {
    this.#notice = notice
    this.#show()
  }

  #show() {
    this.#panel.show({
      stage: this.#stage,
      mayJoinAudio: !this.#options.disableJoinAudio,
      hasAudio: this.#self?.audio === 'computer',
      isBusy: this.#isBusy,
      isWaiting: this.#self?.isHold ?? false,
      isAsked: this.#isAsked && this.#self?.muted !== false,
      muted: this.#self?.muted ?? true,
      speakers: this.#speakers,
      isRecording: this.#isRecording,
      isZoomApp: this.#options.isZoomApp === true,
      raiseHand: this.#self?.raiseHand ?? false,
      users: this.#self?.isHost || this.#self?.isCoHost ? this.attendees : [],
      notice: this.#notice,
    })
  }
}

/** Zoom's type file calls the field status, but its script sends meetingStatus. */
function statusOf(name: keyof typeof MEETING_STATUS) {
  return { meetingStatus: MEETING_STATUS[name], status: MEETING_STATUS[name] }
}

/** Leaves out what only the page itself decides: its audio, and opening its microphone. */
function imposable({ muted, isHost, isCoHost, isHold, raiseHand }: Attendee): Partial<Attendee> {
  return { ...(muted && { muted }), isHost, isCoHost, isHold, raiseHand }
}
