import { EventEmitter } from 'eventemitter3'
import pLimit from 'p-limit'
import { z } from 'zod'
import { ActiveSpeakers } from '../zoom/active-speakers.ts'
import { callZoom, ZoomRefusal } from '../zoom/call-zoom.ts'
import { initZoom, joinZoom } from '../zoom/enter-meeting.ts'
import type { HeldMicrophone } from '../zoom/held-microphone.ts'
import { loadSdk } from '../zoom/load-sdk.ts'
import { type MicrophoneAccess, observeMicrophone } from '../zoom/observe-microphone.ts'
import {
  CONNECTION_STATUS,
  JoinSpeed,
  MeetingStatus,
  RECORDING_ON,
  RecordingChange,
  Speakers,
  UserLeave,
} from '../zoom/zoom-events.ts'
import type { ZoomMtg, ZoomMtgEventName } from '../zoom/zoom-mtg.ts'
import type { MeetingAudio, MeetingAudioEvents } from './meeting-audio.ts'
import { type FrameTicket, SOUND_OFF, type SoundState, type SoundTrouble } from './messages.ts'
import { Attendees, CurrentUser, JOIN_WAITS, LEAVE_REASONS, NetworkQuality, troubleOfRefusal } from './zoom-answers.ts'

const CALL_TIMEOUT_MS = 3_000
/** Zoom accepts one `mute` per second, and silently ignores earlier ones. */
const MUTE_INTERVAL_MS = 1_050
const CLOSE_TIMEOUT_MS = 1_000
/** Longer than closing: giving up early on a slow connection would leave the user muted. */
const OPEN_TIMEOUT_MS = 3_000
const SWITCH_CHECK_MS = 30
/** Throttles the count, since people join by the hundred when a meeting starts. */
const COUNT_INTERVAL_MS = 2_000

type ZoomOptions = {
  leaveUrl: string
  language: string
  load?: (...args: Parameters<typeof loadSdk>) => Promise<ZoomMtg>
  observe?: (onChange: (access: MicrophoneAccess) => void) => Pick<HeldMicrophone, 'hold' | 'release'>
}

/** Meeting audio through Zoom's Client View or its stand-in. The user joins it with a tap in Zoom's own interface. */
export class ZoomMeetingAudio extends EventEmitter<MeetingAudioEvents> implements MeetingAudio<FrameTicket> {
  state: SoundState = SOUND_OFF
  level = 0
  readonly #leaveUrl: string
  readonly #language: string
  readonly #load: NonNullable<ZoomOptions['load']>
  #zoom: ZoomMtg | null = null
  #userId: number | null = null
  readonly #activeSpeakers = new ActiveSpeakers((speaking) => {
    this.#set({ speaking: speaking.map(({ userName }) => userName) })
    this.#setLevel(speaking.some(({ userId }) => userId === this.#userId) ? 1 : 0)
  })
  readonly #microphone: Pick<HeldMicrophone, 'hold' | 'release'>
  #access: MicrophoneAccess = 'off'
  #isOpen = false // as Zoom has it, even while the microphone is held
  #isComingBack = false
  #isReconnecting = false
  #isMutedOnReturn = false // the order is under way
  #isMutingItself = false
  #mayOpenLate = false // Zoom may still carry out an unmute that has been given up
  #wasInSound = false
  #isOver = false
  #waitsFor: SoundTrouble | null = null
  #oneAtATime = pLimit(1)
  #lastOrder = 0 // to mute or unmute
  #mayCallMuteAt = 0
  #count: ReturnType<typeof setTimeout> | undefined

  constructor({ leaveUrl, language, load = loadSdk, observe = observeMicrophone }: ZoomOptions) {
    super()
    this.#leaveUrl = leaveUrl
    this.#language = language
    this.#load = load
    this.#microphone = observe((access) => {
      this.#access = access
      void this.#readSelf()
    })
  }

  /** Works once per page, since Zoom takes the page over. */
  async join(ticket: FrameTicket): Promise<void> {
    this.#set({ audio: 'joining', trouble: null })
    try {
      this.#zoom = await this.#load(ticket.sdk_url, ticket.sdk_version)
      await initZoom(this.#zoom, this.#language, { leaveUrl: this.#leaveUrl })
    } catch (error) {
      this.#set({ audio: 'lost', trouble: 'sdk_failed' })
      throw error
    }
    try {
      this.#listen(this.#zoom)
      await joinZoom(this.#zoom, ticket, () => this.#waitsFor !== null)
    } catch (error) {
      const zoom_code = error instanceof ZoomRefusal ? error.code : null
      this.#set({ audio: 'lost', trouble: troubleOfRefusal(zoom_code), zoom_code })
      throw error
    }
    await this.#readSelf()
    this.#countPeople()
  }

  async leave(): Promise<void> {
    clearTimeout(this.#count)
    this.#activeSpeakers.endAll()
    if (this.#zoom) await callZoom(z.unknown(), CALL_TIMEOUT_MS, (callbacks) => this.#zoom?.leaveMeeting(callbacks))
    this.#set(SOUND_OFF)
  }

  /** Silences the user at once, until Zoom has done it. */
  hold(): void {
    this.#microphone.hold()
  }

  mute(): Promise<void> {
    const order = ++this.#lastOrder
    this.hold()
    return this.#oneAtATime(async () => {
      if (this.#isOpen && !this.#isComingBack) {
        await this.#setMicrophone(false)
        this.#mayOpenLate = false
      }
      this.#releaseBy(order)
    })
  }

  unmute(): Promise<void> {
    const order = ++this.#lastOrder
    return this.#oneAtATime(async () => {
      this.#mayOpenLate = false
      this.#releaseBy(order)
      if (!this.#isOpen) await this.#setMicrophone(true, () => order === this.#lastOrder)
      if (this.#access === 'silenced') throw new ZoomRefusal(null, 'The system has silenced the microphone')
    })
  }

  /**
   * Keeps holding the microphone if a later order still needs it, until Zoom has muted a user who comes back, and while
   * Zoom may open it late.
   */
  #releaseBy(order: number) {
    const isNeeded = order !== this.#lastOrder || this.#isComingBack || this.#mayOpenLate
    if (!isNeeded) this.#microphone.release()
  }

  async #setMicrophone(on: boolean, isWanted = () => true): Promise<void> {
    const zoom = this.#zoom
    const userId = this.#userId
    if (!zoom || userId === null) throw new ZoomRefusal(null, 'There is no sound yet')
    const wait = this.#mayCallMuteAt - performance.now()
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    this.#mayCallMuteAt = performance.now() + MUTE_INTERVAL_MS
    try {
      await callZoom(z.unknown(), MUTE_INTERVAL_MS, (callbacks) => zoom.mute({ userId, mute: !on, ...callbacks }))
      await this.#switched(on, isWanted)
    } catch (error) {
      const isSent = !(error instanceof ZoomRefusal) || error.code === null
      if (!isSent) this.#mayCallMuteAt = 0
      if (on) this.#shut(isSent)
      throw error
    }
  }

  /** Waits until Zoom shows the switch, since its answer only means that the order was sent. */
  async #switched(on: boolean, isWanted: () => boolean): Promise<void> {
    const until = performance.now() + (on ? OPEN_TIMEOUT_MS : CLOSE_TIMEOUT_MS)
    for (;;) {
      await this.#readSelf()
      if (this.#isOpen === on) return
      if (performance.now() > until || !isWanted()) throw new ZoomRefusal(null, 'Zoom does not switch the microphone')
      await new Promise((resolve) => setTimeout(resolve, SWITCH_CHECK_MS))
    }
  }

  #listen(zoom: ZoomMtg) {
    const on = <T extends z.ZodType>(event: ZoomMtgEventName, schema: T, handle: (data: z.output<T>) => void) =>
      zoom.inMeetingServiceListener(event, (data) => {
        const read = schema.safeParse(data)
        this.emit('event', read.success ? event : `${event} in an unknown form`)
        if (read.success) handle(read.data)
      })
    on('onUserUpdate', z.unknown(), () => void this.#readSelf())
    on('onUserJoin', z.unknown(), () => this.#countPeople())
    on('onUserLeave', UserLeave, ({ userId, reasonCode = 0 }) => {
      this.#countPeople()
      const trouble = LEAVE_REASONS[reasonCode]
      if (trouble && (userId === undefined || userId === this.#userId)) this.#lose(trouble)
    })
    on('onActiveSpeaker', Speakers, (speakers) => this.#activeSpeakers.refresh(speakers))
    on('onJoinSpeed', JoinSpeed, ({ level }) => this.#await(JOIN_WAITS[level]))
    on('onMeetingStatus', MeetingStatus, (status) => {
      if (status === CONNECTION_STATUS.connected || status === CONNECTION_STATUS.disconnected)
        this.#isReconnecting = false
      if (status === CONNECTION_STATUS.connected) void this.#readSelf()
      if (this.#userId === null && !this.#waitsFor) return // the join's response has the reason
      if (status === CONNECTION_STATUS.disconnected) this.#lose(null)
      if (status === CONNECTION_STATUS.reconnecting) this.#comeBackMuted()
    })
    on('onNetworkQualityChange', NetworkQuality, ({ userId, level }) => {
      if (userId === this.#userId) this.#set({ is_weak: level < 2 })
    })
    on('onRecordingChange', RecordingChange, ({ status }) => this.#set({ is_recording: status === RECORDING_ON }))
  }

  /** Silences at once: Zoom may still transmit, while no order to mute would get through. */
  #comeBackMuted() {
    this.#isReconnecting = true
    this.#isComingBack = true
    this.hold()
    this.#set({ audio: 'lost', microphone: this.#access })
  }

  /** Zoom returns with the microphone as it was, so it stays held until Zoom has muted it. */
  async #muteOnReturn(): Promise<void> {
    if (this.#isMutedOnReturn) return
    this.#isMutedOnReturn = true
    try {
      await this.#oneAtATime(() => this.#setMicrophone(false))
    } catch {
      if (!this.#isReconnecting) this.#lose(null)
    } finally {
      this.#isMutedOnReturn = false
    }
  }

  /**
   * A speaker whom the system has silenced is not heard again without a tap, like one whose microphone has ended; nor is
   * one who was shown that the microphone did not open.
   */
  async #muteItself(): Promise<void> {
    if (this.#isMutingItself) return
    this.#isMutingItself = true
    try {
      await this.mute()
    } catch {
      if (!this.#isReconnecting) this.#lose(null)
    } finally {
      this.#isMutingItself = false
    }
  }

  #shut(mayOpenLate: boolean) {
    this.#isOpen = false
    this.#mayOpenLate = mayOpenLate
    if (mayOpenLate) this.hold()
    this.#set({ microphone: this.#access })
  }

  /** Zoom's own page shows this wait too, so it stays visible. */
  #await(trouble: SoundTrouble | null | undefined) {
    if (trouble === undefined || trouble === this.#waitsFor) return
    this.#waitsFor = trouble
    this.#activeSpeakers.endAll()
    if (trouble) {
      this.#isOpen = false
      this.#set({ audio: 'joining', microphone: 'off', trouble })
    } else {
      this.#set({ trouble: null })
      void this.#readSelf()
    }
  }

  /** Reads the audio and microphone state again on each change, since Zoom's events only carry parts of it. */
  async #readSelf(): Promise<void> {
    const zoom = this.#zoom
    if (!zoom) return
    const answer = await callZoom(CurrentUser, CALL_TIMEOUT_MS, (callbacks) => zoom.getCurrentUser(callbacks)).catch(
      () => null,
    )
    if (!answer || this.#isOver || this.state.audio === 'off') return
    const { userId, muted, audio, isHold } = answer.result.currentUser
    this.#userId = userId
    if (isHold) return this.#await('waiting_room')
    if (this.#waitsFor) return
    const isInSound = Boolean(audio)
    const isOpen = isInSound && muted === false
    this.#isOpen = isOpen
    if (this.#isReconnecting) return // read again once Zoom has reconnected
    if (this.#isComingBack && isOpen) return void this.#muteOnReturn()
    if (this.#isComingBack) {
      this.#isComingBack = false
      this.#mayOpenLate = false
      this.#microphone.release()
    }
    const mustStayShut = this.#mayOpenLate || this.#isMutingItself || this.#access === 'silenced'
    const joinsNow = isInSound && this.state.audio !== 'on'
    this.#set({
      audio: isInSound ? 'on' : this.#wasInSound ? 'blocked' : 'ready',
      microphone: isOpen && !mustStayShut ? 'on' : this.#access,
      trouble: null,
    })
    this.#wasInSound ||= isInSound
    if (!isOpen) this.#activeSpeakers.end(userId)
    if (isOpen && (joinsNow || mustStayShut)) void this.#muteItself() // hosts are not muted upon entry
  }

  #countPeople() {
    this.#count ??= setTimeout(async () => {
      this.#count = undefined
      const zoom = this.#zoom
      if (!zoom || this.#userId === null) return
      const answer = await callZoom(Attendees, CALL_TIMEOUT_MS, (callbacks) => zoom.getAttendeeslist(callbacks)).catch(
        () => null,
      )
      if (answer) this.#set({ people: answer.result.attendeesList.length })
    }, COUNT_INTERVAL_MS)
  }

  /** Runs once: Zoom reports a reason, and then the lost connection. */
  #lose(trouble: SoundTrouble | 'left' | null) {
    if (this.#isOver) return
    this.#isOver = true
    this.#activeSpeakers.endAll()
    this.#set(trouble === 'left' ? SOUND_OFF : { ...SOUND_OFF, audio: 'lost', trouble })
    this.emit('ended', trouble)
  }

  #set(change: Partial<SoundState>) {
    const next = { ...this.state, ...change }
    if (JSON.stringify(next) === JSON.stringify(this.state)) return
    this.state = next
    this.emit('change', next)
  }

  #setLevel(level: number) {
    if (level === this.level) return
    this.level = level
    this.emit('level', level)
  }
}
