import { z } from 'zod'
import { ActiveSpeakers } from '../zoom/active-speakers.ts'
import { callZoom, ZoomRefusal } from '../zoom/call-zoom.ts'
import { initZoom, joinZoom } from '../zoom/enter-meeting.ts'
import { loadSdk } from '../zoom/load-sdk.ts'
import { observeMicrophone } from '../zoom/observe-microphone.ts'
import {
  CONNECTION_STATUS,
  JoinSpeed,
  MeetingStatus,
  RECORDING_ON,
  RecordingChange,
  Speakers,
  UserLeave,
} from '../zoom/zoom-events.ts'
import type { HostZoomMtg, ZoomMtgEventName } from '../zoom/zoom-mtg.ts'
import { isHeard } from './is-heard.ts'
import type { DriverState, JoinOptions, SeatDriver, SeatEnd, Settlement } from './seat-driver.ts'
import { SeatOrders } from './seat-orders.ts'
import {
  LEAVE_ENDS,
  MeetingUser,
  MeetingUsers,
  powersOf,
  SEAT_JOIN_WAITS,
  Self,
  troubleOfJoin,
} from './zoom-answers.ts'

const CALL_TIMEOUT_MS = 3_000
const REFRESH_DELAY_MS = 250
const SPEAKERS_MAX = 3
/** A microphone open for so long, with nobody named ever, shows that Zoom names no speakers to this page. */
const UNNAMED_MS = 60_000

export const SEAT_NOT_IN: DriverState = {
  powers: 'none',
  connection: 'joining',
  trouble: null,
  zoom_code: null,
  is_recording: false,
  can_see_speaking: true,
  sound: 'off',
}

type ZoomSeatOptions = {
  leaveUrl: string
  load?: typeof loadSdk
  /** Keeps Zoom's program from ever sending what the microphone hears. */
  holdMicrophone?: () => void
}

const holdMicrophoneForGood = () => observeMicrophone(() => {}).hold()

/** A seat through Zoom's Client View or its stand-in. It joins once per page, since Zoom takes the page over. */
export class ZoomSeat extends SeatOrders implements SeatDriver {
  state = SEAT_NOT_IN
  readonly #leaveUrl: string
  readonly #load: typeof loadSdk
  readonly #holdMicrophone: () => void
  readonly #activeSpeakers = new ActiveSpeakers((speaking) => this.#showSpeakers(speaking.map(({ userId }) => userId)))
  #speaking: number[] = []
  #named: number[] = []
  #speakingKeys = ''
  #waitsFor: 'host' | 'waiting_room' | null = null
  #isSilent = true
  #unnamed: ReturnType<typeof setTimeout> | undefined
  #soon: ReturnType<typeof setTimeout> | undefined

  constructor({ leaveUrl, load = loadSdk, holdMicrophone = holdMicrophoneForGood }: ZoomSeatOptions) {
    super()
    this.#leaveUrl = leaveUrl
    this.#load = load
    this.#holdMicrophone = holdMicrophone
  }

  async join({ ticket, isSilent, language }: JoinOptions): Promise<void> {
    clearStorage() // of a seat before, whose token Zoom's program keeps there
    this.#isSilent = isSilent
    if (!isSilent) this.#holdMicrophone() // before Zoom's program is there to use it
    this.#set({ connection: 'joining', trouble: null })
    try {
      const zoom = await this.#load(ticket.sdk_url, ticket.sdk_version)
      this.zoom = zoom
      await initZoom(zoom, language, {
        ...{ leaveUrl: this.#leaveUrl, leaveOnPageUnload: false, disableJoinAudio: isSilent },
        ...(!isSilent && { audioPanelAlwaysOpen: true }), // where the host joins the sound
      })
      this.#listen(zoom)
    } catch {
      return this.#end('sdk_failed')
    }
    if (this.isOver) return // left meanwhile
    try {
      await joinZoom(this.zoom, ticket, () => this.#waitsFor !== null)
    } catch (error) {
      const code = error instanceof ZoomRefusal ? error.code : null
      return this.#end(troubleOfJoin(code), code)
    }
    if (this.isOver) return void this.zoom.leaveMeeting({ success() {}, error() {} })
    this.isIn = true
    await this.refresh()
  }

  isSpeaking(id: number): boolean {
    return this.#speaking.includes(id)
  }

  async leave(): Promise<Settlement> {
    const zoom = this.zoom
    if (!zoom || this.isOver) {
      this.#end('left')
      return { outcome: 'done' }
    }
    const settlement = await callZoom(z.unknown(), CALL_TIMEOUT_MS, (callbacks) => zoom.leaveMeeting(callbacks)).then(
      (): Settlement => ({ outcome: 'done' }),
      (error: unknown): Settlement => {
        const code = error instanceof ZoomRefusal ? error.code : null
        return code === null ? { outcome: 'timeout' } : { outcome: 'refused', code }
      },
    )
    const wasIn = this.isIn
    this.#end('left')
    return wasIn ? settlement : { outcome: 'done' }
  }

  #listen(zoom: HostZoomMtg): void {
    const on = <T extends z.ZodType>(event: ZoomMtgEventName, schema: T, handle: (data: z.output<T>) => void) =>
      zoom.inMeetingServiceListener(event, (data) => {
        const read = schema.safeParse(data)
        if (read.success && !this.isOver) handle(read.data)
      })
    on('onUserJoin', z.unknown(), (data) => this.#readPerson(data))
    on('onUserUpdate', z.unknown(), (data) => this.#readPerson(data))
    on('onUserLeave', UserLeave, ({ userId, reasonCode }) => {
      const reason = LEAVE_ENDS[reasonCode ?? 0]
      const isSelf = userId === undefined || userId === this.list.self?.zoom_user_id
      if (isSelf && reason) return this.#end(reason)
      if (userId === undefined) return
      this.list.remove(userId)
      this.#activeSpeakers.end(userId)
      this.#changed()
    })
    on('onUserIsInWaitingRoom', z.unknown(), () => this.#refreshSoon())
    on('onActiveSpeaker', Speakers, (speakers) => {
      clearTimeout(this.#unnamed)
      this.#set({ can_see_speaking: true })
      this.#named = speakers.map(({ userId }) => userId)
      this.#activeSpeakers.refresh(speakers)
    })
    on('onJoinSpeed', JoinSpeed, ({ level }) => this.#await(SEAT_JOIN_WAITS[level]))
    on('onRecordingChange', RecordingChange, ({ status }) => this.#set({ is_recording: status === RECORDING_ON }))
    on('onMeetingStatus', MeetingStatus, (status) => {
      if (!this.isIn) return // the answer to joining has the reason
      if (status === CONNECTION_STATUS.reconnecting) this.#loseConnection()
      if (status === CONNECTION_STATUS.connected) void this.refresh()
      // A lost connection is first reported as reconnecting. Without that, the host has ended the meeting.
      if (status === CONNECTION_STATUS.disconnected)
        this.#end(this.state.connection === 'reconnecting' ? 'join_failed' : 'meeting_ended')
    })
  }

  #loseConnection(): void {
    this.#activeSpeakers.endAll()
    this.#set({ connection: 'reconnecting' })
  }

  #await(wait: 'host' | 'waiting_room' | null | undefined): void {
    if (wait === undefined) return
    this.#waitsFor = wait
    this.#set({ trouble: wait === 'waiting_room' ? wait : null })
    if (wait === null) void this.refresh()
  }

  #readPerson(data: unknown) {
    const { data: user } = MeetingUser.safeParse(data)
    if (!this.isIn) return // the whole list is read then
    if (!user) return this.#refreshSoon()
    this.list.put(user)
    if (user.muted !== false) this.#activeSpeakers.end(user.userId)
    if (user.userId === this.list.self?.zoom_user_id) void this.refresh()
    else this.#changed()
  }

  /** Gathers events, since hundreds may come into the waiting room at once. */
  #refreshSoon() {
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined
      void this.refresh()
    }, REFRESH_DELAY_MS)
  }

  /** Reads the whole list: at first, after each gap, and where an event has not shown what was expected. */
  protected async refresh(): Promise<void> {
    const zoom = this.zoom
    if (!zoom || !this.isIn || this.isOver) return
    await this.#readSelf()
    const users = await callZoom(MeetingUsers, CALL_TIMEOUT_MS, (callbacks) => zoom.getAttendeeslist(callbacks)).catch(
      () => null,
    )
    if (!users || this.isOver) return
    this.list.replace(users)
    if (this.state.connection !== 'in') {
      this.list.sendWhole()
      this.#set({ connection: 'in' })
    }
    this.#changed()
  }

  async #readSelf(): Promise<void> {
    const zoom = this.zoom
    if (!zoom || this.isOver) return
    const answer = await callZoom(Self, CALL_TIMEOUT_MS, (callbacks) => zoom.getCurrentUser(callbacks)).catch(
      () => null,
    )
    if (!answer || this.isOver) return
    const { currentUser } = answer.result
    this.list.setSelf(currentUser.userId)
    this.#set({ powers: powersOf(currentUser), trouble: currentUser.isHold ? 'waiting_room' : null })
    this.#readSound(currentUser)
  }

  /** Plays nothing of the meeting, and mutes itself at Zoom too, where others would take it for a speaker. */
  #readSound({ userId, audio, muted }: MeetingUser): void {
    if (this.#isSilent) return
    if (this.state.sound === 'off') this.zoom?.stopIncomingAudio({ stop: true, success() {}, error() {} })
    const sound = audio === '' ? 'ready' : 'on'
    this.#set({ sound })
    if (sound === 'on' && muted === false) void this.mute(userId, { urgency: 'open' })
  }

  #changed(): void {
    this.advance()
    this.#watchForNames()
    this.emit('change')
  }

  #watchForNames(): void {
    const isOpen = this.people().some(isHeard)
    if (!isOpen) clearTimeout(this.#unnamed)
    if (!isOpen) this.#unnamed = undefined
    else if (this.#named.length === 0)
      this.#unnamed ??= setTimeout(() => this.#set({ can_see_speaking: this.#named.length > 0 }), UNNAMED_MS)
  }

  /** The ones named last come first, as Zoom names three at a time, and each counts for some seconds. */
  #showSpeakers(speaking: number[]): void {
    const isNamed = (id: number) => this.#named.includes(id)
    this.#speaking = [...speaking.filter(isNamed), ...speaking.filter((id) => !isNamed(id))]
    const keys = this.#speaking.flatMap((id) => this.list.get(id)?.key ?? []).slice(0, SPEAKERS_MAX)
    if (keys.join() === this.#speakingKeys) return
    this.#speakingKeys = keys.join()
    this.emit('speaking', keys)
    this.emit('change')
  }

  #set(change: Partial<DriverState>): void {
    const next = { ...this.state, ...change }
    if (JSON.stringify(next) === JSON.stringify(this.state)) return
    this.state = next
    const isReady = next.connection === 'in' && next.trouble === null
    for (const queue of Object.values(this.queues)) queue.setReady(isReady)
    this.emit('state', next)
  }

  /** Runs once: Zoom reports a reason, and then the lost connection. */
  #end(reason: SeatEnd['reason'], zoom_code: number | null = null): void {
    if (this.isOver) return
    this.isOver = true
    clearTimeout(this.#unnamed)
    clearTimeout(this.#soon)
    this.#activeSpeakers.endAll()
    for (const queue of Object.values(this.queues)) queue.endAll({ outcome: 'refused' })
    clearStorage()
    this.emit('ended', { reason, zoom_code })
  }
}

function clearStorage(): void {
  try {
    sessionStorage.clear()
  } catch {
    // The browser keeps nothing for frames, so there is nothing to clear.
  }
}
