import { type JoinTicket, JoinTicketAnswer } from '../../../shared/mobile.ts'
import { backoffMs, type RandomSource } from '../../../shared/phone/backoff.ts'
import { CallFailure, call } from '../../../shared/phone/call.ts'
import type { Schedule } from '../../../shared/phone/schedule.ts'
import type { MeetingAudio, SoundState } from '../../meeting/meeting-audio.ts'
import { SOUND_OFF, type SoundTrouble } from '../../meeting/messages.ts'

export type SoundKeeperOptions = {
  baseUrl: string
  token: string
  schedule: Schedule
  random: RandomSource
  /** Creates a new meeting for each join, since a ticket is only valid once. */
  createAudio: () => MeetingAudio
  onTicket: (ticket: JoinTicket) => void
  onChange: (state: SoundState) => void
  onLevel: (level: number) => void
  /** Gets the name of each event of Zoom's. */
  onZoomEvent?: (name: string) => void
}

/** Matches the server's Retry-After, with jitter for the crowd. */
const HOST_ABSENT_MS = [10_000, 13_000] as const
/** Zoom accepts one join per 10 s. */
const AGAIN_MS = 10_500
const STABLE_MS = 60_000
/** Troubles that only the user or the host can resolve. */
const FINAL: (SoundTrouble | null)[] = ['not_connected', 'refused', 'removed', 'not_admitted']

/** Troubles that only the host can end. */
const AWAITS_MEETING: (SoundTrouble | null)[] = ['host_absent', 'host_unknown', 'meeting_ended']

type Reason = Pick<SoundState, 'trouble' | 'zoom_code'>
const NO_REASON: Reason = { trouble: null, zoom_code: null }

/** Keeps the phone in the meeting while the sound is wanted: rejoins after each loss, muted, with a fresh ticket. */
export class SoundKeeper {
  readonly #options: SoundKeeperOptions
  #audio: MeetingAudio | null = null
  #wanted: AbortController | null = null
  #pause = new AbortController() // before the next attempt
  #isMeetingOver = false // according to Parley
  #lastReason = NO_REASON // of the previous attempt
  #shown = SOUND_OFF
  #cancelAsking = () => {}
  #reachable: PromiseWithResolvers<void> | null = null // pending while disconnected from Parley

  constructor(options: SoundKeeperOptions) {
    this.#options = options
  }

  get state(): SoundState {
    return this.#audio?.state ?? SOUND_OFF
  }

  get isWanted(): boolean {
    return this.#wanted !== null
  }

  /** Joins now, skipping any pause. */
  join() {
    if (this.#wanted) return this.#pause.abort()
    this.#wanted = new AbortController()
    void this.#stay(this.#wanted.signal)
  }

  async leave() {
    this.#wanted?.abort()
    this.#wanted = null
    this.#cancelAsking()
    const audio = this.#audio
    await audio?.leave()
    if (this.#audio === audio) this.#audio = null
    this.#show(SOUND_OFF)
  }

  async mute() {
    await this.#audio?.mute()
  }

  async unmute() {
    if (!this.#audio) throw new Error('There is no sound yet')
    await this.#audio.unmute()
  }

  /** Zoom has reported to Parley that the meeting started or ended. Waiting phones retry spread over `spread_ms`. */
  handleMeetingStatus({ is_running, spread_ms }: { is_running: boolean; spread_ms: number }) {
    const { schedule, random } = this.#options
    this.#isMeetingOver = !is_running
    this.#cancelAsking()
    if (!is_running) {
      this.#lastReason = this.#explain(this.#lastReason)
      return this.#show(this.#shown)
    }
    this.#cancelAsking = schedule.after(random.between(0, spread_ms), () => {
      if (AWAITS_MEETING.includes(this.#lastReason.trouble)) this.#pause.abort()
    })
  }

  /** Keeps a phone that nobody can mute out of the meeting. */
  setReachable(isReachable: boolean) {
    if (!isReachable) this.#reachable ??= Promise.withResolvers()
    else {
      this.#reachable?.resolve()
      this.#reachable = null
    }
  }

  async #stay(signal: AbortSignal) {
    const { schedule, random } = this.#options
    this.#lastReason = NO_REASON
    for (let failures = 0; !signal.aborted; ) {
      await this.#reachable?.promise
      if (signal.aborted) return
      const begun = performance.now()
      this.#lastReason = this.#explain(await this.#joinOnce(signal, this.#lastReason))
      if (signal.aborted) return
      const { trouble } = this.#lastReason
      if (FINAL.includes(trouble)) {
        await this.leave()
        return this.#show({ ...SOUND_OFF, ...this.#lastReason })
      }
      failures = performance.now() - begun > STABLE_MS ? 0 : failures + 1
      const wait = AWAITS_MEETING.includes(trouble)
        ? random.between(...HOST_ABSENT_MS)
        : AGAIN_MS - (performance.now() - begun) + backoffMs(failures, random)
      this.#pause = new AbortController()
      await schedule.wait(Math.max(500, wait), AbortSignal.any([signal, this.#pause.signal]))
    }
  }

  /** Resolves with the reason for its end. Until it succeeds, the trouble of the previous attempt remains. */
  async #joinOnce(signal: AbortSignal, former: Reason): Promise<Reason> {
    const { baseUrl, token, createAudio, onTicket, onLevel, onZoomEvent = () => {} } = this.#options
    this.#show({ ...SOUND_OFF, audio: 'joining', ...former })
    let ticket: JoinTicket
    try {
      ticket = (await call(JoinTicketAnswer, 'POST', `${baseUrl}/api/mobile/join-ticket`, { token, signal })).data
    } catch (error) {
      const reason = { ...NO_REASON, trouble: troubleOf(error) }
      if (!signal.aborted) this.#show({ ...SOUND_OFF, audio: 'joining', ...reason })
      return reason
    }
    onTicket(ticket)

    const audio = createAudio()
    this.#audio = audio
    const isOutcome = ({ audio: is, trouble }: SoundState) => trouble !== null || (is !== 'joining' && is !== 'off')
    audio.on('change', (state) => {
      if (this.#audio === audio) this.#show(isOutcome(state) ? state : { ...state, ...former })
    })
    audio.on('level', onLevel)
    audio.on('event', onZoomEvent)
    const ended = new Promise<SoundTrouble | 'left' | null>((resolve) => audio.on('ended', resolve))
    await audio.join(ticket).catch(() => {}) // it has ended by then
    const why = await ended
    if (why !== 'left') return { trouble: why, zoom_code: audio.state.zoom_code }
    if (!signal.aborted) await this.leave() // through Zoom's own button
    return NO_REASON
  }

  #show(state: SoundState) {
    if (isIn(state) && !isIn(this.#shown)) this.#isMeetingOver = false
    this.#shown = state
    const isAway = state.audio === 'lost' || state.trouble === 'host_absent'
    this.#options.onChange(isAway ? this.#explain(state) : state)
  }

  /** The end of a meeting reaches guests as a lost connection from Zoom, and as an absent host from Parley. */
  #explain<T extends Reason>(reason: T): T {
    const { trouble } = reason
    if (!this.#isMeetingOver || (trouble !== null && trouble !== 'host_absent')) return reason
    return { ...reason, trouble: 'meeting_ended', zoom_code: null }
  }
}

const isIn = ({ audio }: SoundState) => audio === 'ready' || audio === 'on' || audio === 'blocked'

function troubleOf(error: unknown): SoundTrouble {
  if (!(error instanceof CallFailure)) return 'unreachable'
  if (error.code === 'host_not_present') return error.hostPresence === 'unknown' ? 'host_unknown' : 'host_absent'
  if (error.code === 'room_not_connected') return 'not_connected'
  if (error.code === 'zoom_unavailable' || error.code === 'zoom_reconnect') return 'join_failed'
  return error.retryAfterMs === null ? 'join_failed' : 'unreachable'
}
