import { EventEmitter } from 'eventemitter3'
import pLimit from 'p-limit'
import { z } from 'zod'
import { callZoom, ZoomRefusal } from './call-zoom.ts'
import { loadSdk } from './load-sdk.ts'
import type { MeetingAudio, MeetingAudioEvents } from './meeting-audio.ts'
import { type FrameTicket, SILENCE, type SoundState, type SoundTrouble } from './messages.ts'
import { type MicrophoneAccess, observeMicrophone } from './observe-microphone.ts'
import { Voices } from './voices.ts'
import {
  Attendees,
  CurrentUser,
  HOST_ABSENT,
  LEFT,
  Leaving,
  Quality,
  RECORDING_ON,
  Recording,
  Speakers,
  STATUS,
  Status,
} from './zoom-answers.ts'
import { type MeetingEvent, SOUND_ONLY, type ZoomMtg } from './zoom-mtg.ts'

const JOIN_TIMEOUT_MS = 40_000
const CALL_TIMEOUT_MS = 3_000
/** Zoom takes one `mute` a second. */
const MUTE_INTERVAL_MS = 1_050
const SWITCH_TIMEOUT_MS = 1_000
const SWITCH_CHECK_MS = 30
/** People come and go by the hundred when a meeting starts. */
const COUNT_INTERVAL_MS = 2_000

type ZoomOptions = {
  leaveUrl: string
  language: string
  load?: typeof loadSdk
  observe?: typeof observeMicrophone
}

/** Zoom's Client View, or what stands in for it. The person joins the sound by a tap in Zoom's own interface. */
export class ZoomMeetingAudio extends EventEmitter<MeetingAudioEvents> implements MeetingAudio<FrameTicket> {
  state: SoundState = SILENCE
  level = 0
  readonly #leaveUrl: string
  readonly #language: string
  readonly #load: typeof loadSdk
  #zoom: ZoomMtg | null = null
  #userId: number | null = null
  readonly #voices = new Voices((speaking) => {
    this.#set({ speaking: speaking.map(({ userName }) => userName) })
    this.#setLevel(speaking.some(({ userId }) => userId === this.#userId) ? 1 : 0)
  })
  #access: MicrophoneAccess = 'off'
  #wasInSound = false
  #oneAtATime = pLimit(1)
  #mayCallMuteAt = 0
  #count: ReturnType<typeof setTimeout> | undefined

  constructor({ leaveUrl, language, load = loadSdk, observe = observeMicrophone }: ZoomOptions) {
    super()
    this.#leaveUrl = leaveUrl
    this.#language = language
    this.#load = load
    observe((access) => {
      this.#access = access
      void this.#readSelf()
    })
  }

  /** Once per page: Zoom takes the page for itself. */
  async join(ticket: FrameTicket): Promise<void> {
    this.#set({ audio: 'joining', trouble: null })
    try {
      this.#zoom = await this.#load(ticket.sdk_url, ticket.sdk_version)
      await this.#init(this.#zoom)
    } catch (error) {
      this.#set({ audio: 'lost', trouble: 'sdk_failed' })
      throw error
    }
    try {
      this.#listen(this.#zoom)
      await this.#enter(this.#zoom, ticket)
    } catch (error) {
      const isTooEarly = error instanceof ZoomRefusal && HOST_ABSENT.includes(error.code ?? -1)
      this.#set({ audio: 'lost', trouble: isTooEarly ? 'host_absent' : 'join_failed' })
      throw error
    }
    await this.#readSelf()
    this.#countPeople()
  }

  async leave(): Promise<void> {
    clearTimeout(this.#count)
    this.#voices.endAll()
    if (this.#zoom) await callZoom(z.unknown(), CALL_TIMEOUT_MS, (callbacks) => this.#zoom?.leaveMeeting(callbacks))
    this.#set(SILENCE)
  }

  mute(): Promise<void> {
    return this.#oneAtATime(async () => {
      if (this.state.microphone === 'on') await this.#setMicrophone(false)
    })
  }

  unmute(): Promise<void> {
    return this.#oneAtATime(async () => {
      if (this.state.microphone !== 'on') await this.#setMicrophone(true)
    })
  }

  async #setMicrophone(on: boolean): Promise<void> {
    const zoom = this.#zoom
    const userId = this.#userId
    if (!zoom || userId === null) throw new ZoomRefusal(null, 'There is no sound yet')
    const wait = this.#mayCallMuteAt - performance.now()
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    this.#mayCallMuteAt = performance.now() + MUTE_INTERVAL_MS
    try {
      await callZoom(z.unknown(), CALL_TIMEOUT_MS, (callbacks) => zoom.mute({ userId, mute: !on, ...callbacks }))
      await this.#switched(on)
    } catch (error) {
      if (on) this.#set({ microphone: this.#access })
      throw error
    }
  }

  /** Zoom answers when it has sent the order, which is too early to call the microphone off. */
  async #switched(on: boolean): Promise<void> {
    const until = performance.now() + SWITCH_TIMEOUT_MS
    for (;;) {
      await this.#readSelf()
      if ((this.state.microphone === 'on') === on) return
      if (performance.now() > until) throw new ZoomRefusal(null, 'Zoom does not switch the microphone')
      await new Promise((resolve) => setTimeout(resolve, SWITCH_CHECK_MS))
    }
  }

  #init(zoom: ZoomMtg): Promise<unknown> {
    return new Promise((resolve, reject) => {
      zoom.i18n.load(this.#language)
      zoom.i18n.onLoad(() => {
        const begin = callZoom(z.unknown(), JOIN_TIMEOUT_MS, (callbacks) =>
          zoom.init({
            ...SOUND_ONLY,
            leaveUrl: this.#leaveUrl,
            disableCORP: !globalThis.crossOriginIsolated,
            ...callbacks,
          }),
        )
        begin.then(resolve, reject)
      })
    })
  }

  #enter(zoom: ZoomMtg, ticket: FrameTicket): Promise<unknown> {
    const { signature, meeting_number, user_name, passcode, customer_key, obf_token, zak } = ticket
    return callZoom(z.unknown(), JOIN_TIMEOUT_MS, (callbacks) =>
      zoom.join({
        signature,
        meetingNumber: meeting_number,
        userName: user_name,
        passWord: passcode,
        customerKey: customer_key,
        ...(obf_token && { obfToken: obf_token }),
        ...(zak && { zak }),
        ...callbacks,
      }),
    )
  }

  #listen(zoom: ZoomMtg) {
    const on = <T extends z.ZodType>(event: MeetingEvent, schema: T, handle: (data: z.output<T>) => void) =>
      zoom.inMeetingServiceListener(event, (data) => {
        const read = schema.safeParse(data)
        if (read.success) handle(read.data)
      })
    on('onUserUpdate', z.unknown(), () => void this.#readSelf())
    on('onUserJoin', z.unknown(), () => this.#countPeople())
    on('onUserLeave', Leaving, ({ userId, reasonCode = 0 }) => {
      this.#countPeople()
      const trouble = LEFT[reasonCode]
      if (trouble && (userId === undefined || userId === this.#userId)) this.#lose(trouble)
    })
    on('onActiveSpeaker', Speakers, (speakers) => this.#voices.name(speakers))
    on('onMeetingStatus', Status, (status) => {
      if (this.#userId === null) return // the answer to the join says why
      if (status === STATUS.disconnected) this.#lose(this.state.trouble)
      if (status === STATUS.reconnecting) this.#set({ audio: 'lost' })
      if (status === STATUS.connected) void this.#readSelf()
    })
    on('onNetworkQualityChange', Quality, ({ userId, level }) => {
      if (userId === this.#userId) this.#set({ is_weak: level < 2 })
    })
    on('onRecordingChange', Recording, ({ status }) => this.#set({ is_recording: status === RECORDING_ON }))
  }

  /** Whether the sound was joined, and the microphone is on, is read anew at each change: Zoom reports parts of it. */
  async #readSelf(): Promise<void> {
    const zoom = this.#zoom
    if (!zoom) return
    const answer = await callZoom(CurrentUser, CALL_TIMEOUT_MS, (callbacks) => zoom.getCurrentUser(callbacks)).catch(
      () => null,
    )
    if (!answer || this.state.audio === 'off') return
    const { userId, muted, audio } = answer.result.currentUser
    this.#userId = userId
    const isInSound = Boolean(audio)
    const isOpen = isInSound && muted === false
    const joinsNow = isInSound && this.state.audio !== 'on' && this.state.audio !== 'lost'
    this.#set({
      audio: isInSound ? 'on' : this.#wasInSound ? 'blocked' : 'joining',
      microphone: isOpen ? 'on' : this.#access,
      ...(isInSound && { trouble: null }),
    })
    this.#wasInSound ||= isInSound
    if (!isOpen) this.#voices.end(userId)
    if (isOpen && joinsNow) await this.mute().catch(() => this.#lose(null)) // a host is not muted upon entry
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

  #lose(trouble: SoundTrouble | null) {
    this.#voices.endAll()
    this.#set({ ...SILENCE, audio: 'lost', trouble })
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
