import { type JoinTicket, JoinTicketAnswer } from '../../../shared/mobile.ts'
import { backoffMs, type Chance } from '../../../shared/phone/backoff.ts'
import { CallFailure, call } from '../../../shared/phone/call.ts'
import type { Schedule } from '../../../shared/phone/schedule.ts'
import type { MeetingAudio, SoundState } from '../../meeting/meeting-audio.ts'
import { SILENCE, type SoundTrouble } from '../../meeting/messages.ts'

export type SoundKeeperOptions = {
  baseUrl: string
  token: string
  schedule: Schedule
  chance: Chance
  /** A new meeting for each joining, since a ticket counts once. */
  createAudio: () => MeetingAudio
  onTicket: (ticket: JoinTicket) => void
  onChange: (state: SoundState) => void
  onLevel: (level: number) => void
}

/** As often as the server lets phones ask, with room for the crowd. */
const HOST_ABSENT_MS = [10_000, 13_000] as const
/** Zoom takes one join in 10 s. */
const AGAIN_MS = 10_500
const STABLE_MS = 60_000
/** Only the person, or the host, can change these. */
const FINAL: (SoundTrouble | null)[] = ['not_connected', 'refused', 'removed', 'not_admitted']

type News = Pick<SoundState, 'trouble' | 'zoom_code'>
const NO_NEWS: News = { trouble: null, zoom_code: null }

/** Keeps the phone in the meeting while it wants the sound: after each loss it joins again, muted, with a fresh ticket. */
export class SoundKeeper {
  readonly #options: SoundKeeperOptions
  #audio: MeetingAudio | null = null
  #wanted: AbortController | null = null
  #pause = new AbortController() // before the next attempt
  #reachable: PromiseWithResolvers<void> | null = null // pending while there is no connection to Parley

  constructor(options: SoundKeeperOptions) {
    this.#options = options
  }

  get state(): SoundState {
    return this.#audio?.state ?? SILENCE
  }

  get isWanted(): boolean {
    return this.#wanted !== null
  }

  /** Also: now, instead of after the pause. */
  join() {
    if (this.#wanted) return this.#pause.abort()
    this.#wanted = new AbortController()
    void this.#stay(this.#wanted.signal)
  }

  async leave() {
    this.#wanted?.abort()
    this.#wanted = null
    const audio = this.#audio
    await audio?.leave()
    if (this.#audio === audio) this.#audio = null
    this.#options.onChange(SILENCE)
  }

  async mute() {
    await this.#audio?.mute()
  }

  async unmute() {
    if (!this.#audio) throw new Error('There is no sound yet')
    await this.#audio.unmute()
  }

  /** A phone that nobody can mute stays out of the meeting. */
  setReachable(isReachable: boolean) {
    if (!isReachable) this.#reachable ??= Promise.withResolvers()
    else {
      this.#reachable?.resolve()
      this.#reachable = null
    }
  }

  async #stay(signal: AbortSignal) {
    const { schedule, chance } = this.#options
    let news = NO_NEWS
    for (let failures = 0; !signal.aborted; ) {
      await this.#reachable?.promise
      if (signal.aborted) return
      const begun = performance.now()
      news = await this.#joinOnce(signal, news)
      if (signal.aborted) return
      const { trouble } = news
      if (FINAL.includes(trouble)) {
        await this.leave()
        return this.#options.onChange({ ...SILENCE, ...news })
      }
      failures = performance.now() - begun > STABLE_MS ? 0 : failures + 1
      const wait =
        trouble === 'host_absent' || trouble === 'meeting_ended'
          ? chance.between(...HOST_ABSENT_MS)
          : AGAIN_MS - (performance.now() - begun) + backoffMs(failures, chance)
      this.#pause = new AbortController()
      await schedule.wait(Math.max(500, wait), AbortSignal.any([signal, this.#pause.signal]))
    }
  }

  /** Returns why it is over. Until it succeeds, the trouble of the attempt before is still the news. */
  async #joinOnce(signal: AbortSignal, former: News): Promise<News> {
    const { baseUrl, token, createAudio, onTicket, onChange, onLevel } = this.#options
    onChange({ ...SILENCE, audio: 'joining', ...former })
    let ticket: JoinTicket
    try {
      ticket = (await call(JoinTicketAnswer, 'POST', `${baseUrl}/api/mobile/join-ticket`, { token, signal })).data
    } catch (error) {
      const news = { ...NO_NEWS, trouble: troubleOf(error) }
      if (!signal.aborted) onChange({ ...SILENCE, audio: 'joining', ...news })
      return news
    }
    onTicket(ticket)

    const audio = createAudio()
    this.#audio = audio
    const hasNews = ({ audio: is, trouble }: SoundState) => trouble !== null || (is !== 'joining' && is !== 'off')
    audio.on('change', (state) => {
      if (this.#audio === audio) onChange(hasNews(state) ? state : { ...state, ...former })
    })
    audio.on('level', onLevel)
    const ended = new Promise<SoundTrouble | 'left' | null>((resolve) => audio.on('ended', resolve))
    await audio.join(ticket).catch(() => {}) // it has ended then
    const why = await ended
    if (why !== 'left') return { trouble: why, zoom_code: audio.state.zoom_code }
    if (!signal.aborted) await this.leave() // by Zoom's own button
    return NO_NEWS
  }
}

function troubleOf(error: unknown): SoundTrouble {
  if (!(error instanceof CallFailure)) return 'unreachable'
  if (error.code === 'host_not_present') return 'host_absent'
  if (error.code === 'room_not_connected') return 'not_connected'
  if (error.code === 'zoom_unavailable' || error.code === 'zoom_reconnect') return 'join_failed'
  return error.retryAfterMs === null ? 'join_failed' : 'unreachable'
}
