import { EventEmitter } from 'eventemitter3'
import type { EventSourceMessage } from 'eventsource-parser'
import type { z } from 'zod'
import { Done } from '../envelope.ts'
import { type LiveState, type MobileLoginAnswer, MobileMeAnswer, MobileStatusAnswer } from '../mobile.ts'
import { ConfirmWordAnswer, type Hearing, type PhoneWords } from '../phone-words.ts'
import { parseRoomEvent, type RoomEvent } from '../room-events.ts'
import { StreamSession } from '../rooms.ts'
import { backoffMs, type RandomSource } from './backoff.ts'
import { CallFailure, call } from './call.ts'
import { followEvents } from './event-stream.ts'
import { isCommandFor, newerWords, obey, type PhoneEnd, type PhoneState, withEnd } from './obey.ts'
import type { Schedule } from './schedule.ts'
import {
  type Acknowledgement,
  type SpeakRequest,
  type StatusBody,
  StatusCalls,
  type StatusChange,
} from './status-calls.ts'

export type ReceivedEvent = RoomEvent & { id: string }

export type PhoneEvents = {
  event: [ReceivedEvent]
  state: [PhoneState]
  acknowledged: [Acknowledgement]
  unsent: [SpeakRequest]
  stream: ['open' | 'lost']
  ended: [PhoneEnd]
}

const LAST_ACK_TIMEOUT_MS = 10_000
/** The longest wait for the answer to the last call of the stay before. */
const LEAVE_TIMEOUT_MS = 3_000
/** The last call of each stay, by token. The first of the next stay may reach another server and must not overtake it. */
const leaving = new Map<string, Promise<unknown>>()

export type Login = z.infer<typeof MobileLoginAnswer>['data']

export type PhoneOptions = {
  random: RandomSource
  schedule: Schedule
  /** Resolves once the microphone is really off, and never rejects. A mute is acknowledged only after that. */
  turnMicrophoneOff?: () => Promise<void>
  /** False while the page is in the background, where the phone may not respond. */
  isAwake?: () => boolean
}

/** A phone in a room: follows its stream, sends heartbeats, and obeys the host's commands immediately. */
export class Phone extends EventEmitter<PhoneEvents> {
  readonly token: string
  readonly user: Login['user']
  room: Login['room']
  readonly app: Login['app']
  #baseUrl: string
  #schedule: Schedule
  #random: RandomSource
  #turnMicrophoneOff: (() => Promise<void>) | undefined
  #status: StatusCalls
  #state: PhoneState
  #network: AbortController | null = null // null: no network
  #lastEventId = ''

  constructor(baseUrl: string, login: Login, { random, schedule, turnMicrophoneOff, isAwake }: PhoneOptions) {
    super()
    this.#turnMicrophoneOff = turnMicrophoneOff
    this.token = login.token
    this.user = login.user
    this.room = login.room
    this.app = login.app
    this.#baseUrl = baseUrl
    this.#schedule = schedule
    this.#random = random
    const { id, is_host } = login.user
    const quiet = {
      is_muted: false,
      speaker_on: false,
      wants_to_speak: false,
      is_speaking: false,
      asked_to_speak: false,
    }
    this.#state = { id, is_host, ...quiet, host_mute_all_active: false, ended: null }
    this.#status = new StatusCalls({
      send: (body, signal) => this.#sendStatus(body, signal),
      onAnswer: (answer) => {
        const isStillAsked = this.#state.asked_to_speak && !answer.speaker_on && !answer.is_muted
        const { asked_to_speak = isStillAsked } = answer
        if (answer.is_muted !== this.#state.is_muted) this.#yieldTo(answer)
        this.#status.settleHand(answer.wants_to_speak)
        const isAsked = asked_to_speak && !this.#status.isDeclining
        const words = newerWords(this.#state.words, answer.words)
        this.#setState({ ...this.#state, ...answer, asked_to_speak: isAsked, ...withWords(words) })
      },
      onAcknowledged: (acknowledged) => this.emit('acknowledged', acknowledged),
      onUnsent: (wishes) => this.emit('unsent', wishes),
      onSignedOut: (why) => this.#end(why ?? 'signed_out'),
      isAwake,
      schedule,
      random,
    })
  }

  get state(): PhoneState {
    return this.#state
  }

  /** True while it follows its stream or reconnects to it. */
  get isConnected() {
    return this.#network !== null
  }

  /** Sends a change even if it is not permitted, or a heartbeat if there is none. Resolves with the server's state. */
  async report(change: StatusChange = {}): Promise<PhoneState> {
    if (change.declined) this.#setState({ ...this.#state, asked_to_speak: false })
    await this.#status.report(change)
    return this.#state
  }

  /** Returns true if the server accepted it. */
  async speak(): Promise<boolean> {
    if (this.#state.is_muted) return false
    const hand = this.#state.wants_to_speak ? { wants_to_speak: false } : {}
    return (await this.report({ speaker_on: true, is_speaking: true, ...hand })).is_speaking
  }

  stopSpeaking() {
    return this.report({ speaker_on: false, is_speaking: false })
  }

  raiseHand() {
    return this.report({ wants_to_speak: true })
  }

  lowerHand() {
    return this.report({ wants_to_speak: false })
  }

  /** Confirms a word of the host: read, or answered. One that no longer stands leaves the phone all the same. */
  async confirmWord(id: string, answer?: Hearing): Promise<void> {
    const { token } = this
    try {
      const path = this.#url(`/mobile/words/${id}/confirm`)
      const { data } = await call(ConfirmWordAnswer, 'POST', path, { token, ...(answer && { body: { answer } }) })
      this.#setState({ ...this.#state, ...withWords(newerWords(this.#state.words, data.words)) })
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error
      if (error.status === 401) return this.#end(error.sessionEnd ?? 'signed_out')
      const { words } = this.#state
      if (error.status !== 404) throw error
      if (words)
        this.#setState({ ...this.#state, words: { ...words, list: words.list.filter((one) => one.id !== id) } })
    }
  }

  /** Simulates a network loss, which the server notices only by the silence. */
  drop() {
    this.#network?.abort()
    this.#network = null
    this.#status.pause()
    this.#setState({ ...this.#state, speaker_on: false, is_speaking: false })
  }

  /** Resumes the stream after the last event, with the microphone off. */
  async reconnect(): Promise<PhoneState> {
    this.connect()
    return this.stopSpeaking()
  }

  async logout() {
    this.drop() // else the server's end of the stream would count as a connection loss
    try {
      await call(Done, 'POST', this.#url('/mobile/logout'), { token: this.token })
    } finally {
      this.close()
    }
  }

  /** Leaves but stays signed in. Notifies the server even as the page closes; else it would wait for half a minute. */
  leave() {
    if (this.#state.ended) return
    this.#end('left')
    const last = { token: this.token, body: { left: true }, keepalive: true }
    leaving.set(
      this.token,
      call(MobileStatusAnswer, 'POST', this.#url('/mobile/status'), last).catch(() => {}),
    )
  }

  /** Ends without a call to the server. */
  close(why: 'left' | 'other_tab' = 'left') {
    this.#end(why)
  }

  /** Starts following the event stream. */
  connect() {
    if (this.#network || this.#state.ended) return
    this.#status.resume()
    this.#network = new AbortController()
    void this.#followStream(this.#network.signal)
  }

  async #followStream(signal: AbortSignal) {
    const { token } = this
    for (let failures = 0; ; failures++) {
      try {
        const body = { room_id: this.room.room_id, meeting_id: this.room.zoom_meeting_id }
        const { sseUrl } = await call(StreamSession, 'POST', this.#url('/mobile/sse-session'), { token, body, signal })
        await followEvents({
          url: new URL(sseUrl, this.#baseUrl).href,
          lastEventId: this.#lastEventId,
          signal,
          schedule: this.#schedule,
          random: this.#random,
          onOpen: () => {
            failures = 0
            this.emit('stream', 'open')
          },
          onLost: () => {
            this.#status.fallBehind()
            this.emit('stream', 'lost')
          },
          onEvent: (event) => this.#handleEvent(event),
        })
      } catch (error) {
        if (error instanceof CallFailure && error.status === 401) return this.#end(error.sessionEnd ?? 'signed_out')
        if (error instanceof CallFailure && error.status === 404) await this.#refreshRoom(signal)
      }
      if (!(await this.#schedule.wait(backoffMs(failures, this.#random), signal))) return
    }
  }

  /** The room has a new meeting if the host connected Zoom after the login. */
  async #refreshRoom(signal: AbortSignal) {
    const me = call(MobileMeAnswer, 'GET', this.#url('/mobile/me'), { token: this.token, signal })
    this.room = await me.then(
      ({ data }) => data.room,
      () => this.room,
    )
  }

  #handleEvent({ id = '', event: name = 'message', data }: EventSourceMessage) {
    const isRepeated = id === this.#lastEventId // true for the current state at the start of a stream
    if (id) this.#lastEventId = id
    const event = parseRoomEvent(name, data)
    if (!event) return
    const next = obey(this.#state, event)
    if (event.name === 'test') void this.#status.catchUp().catch(() => {}) // a heartbeat follows at once
    if (event.name === 'user-speaker-toggle' && event.data.user_id === this.#state.id)
      this.#status.settleHand(event.data.wants_to_speak)
    if (isCommandFor(this.#state, event)) {
      if (!isRepeated || next.is_muted !== this.#state.is_muted) this.#yieldTo(next)
      if (next.is_muted) this.#status.withdraw('is_speaking', 'speaker_on')
      const silent = next.is_muted || next.ended ? this.#turnMicrophoneOff?.() : undefined
      if (!next.ended) this.#status.acknowledge(id, silent)
      else if (id) void this.#acknowledgeEnd(id, silent)
    }
    this.#setState(next.ended ? this.#state : next)
    this.emit('event', { ...event, id })
    if (next.ended) this.#end(next.ended)
  }

  /** A newer command wins: a mute or an unmute withdraws "Not now", and an unmute fulfils a raised hand. */
  #yieldTo({ is_muted }: { is_muted: boolean }) {
    this.#status.withdraw('declined')
    if (!is_muted) this.#status.withdraw('wants_to_speak')
  }

  /** The session has already ended, so the server may refuse the acknowledgement. */
  async #acknowledgeEnd(id: string, silent: Promise<void> | undefined) {
    await silent
    await this.#sendStatus({ acks: [id] }, AbortSignal.timeout(LAST_ACK_TIMEOUT_MS)).catch(() => {})
  }

  async #sendStatus(change: StatusBody | undefined, signal: AbortSignal): Promise<LiveState> {
    const url = this.#url('/mobile/status')
    const { token } = this
    const left = leaving.get(token)
    if (left) await Promise.race([left, this.#schedule.wait(LEAVE_TIMEOUT_MS, signal)])
    const body = left ? { ...change, rejoined: true } : change
    const { data } = await call(MobileStatusAnswer, 'POST', url, { token, body, signal })
    if (left && leaving.get(token) === left) leaving.delete(token)
    return data
  }

  #setState(next: PhoneState) {
    if (next === this.#state) return
    this.#state = next
    this.emit('state', next)
  }

  #end(reason: PhoneEnd) {
    if (this.#state.ended) return
    this.drop()
    this.#setState(withEnd(this.#state, reason))
    this.emit('ended', reason)
  }

  #url(path: string) {
    return `${this.#baseUrl}/api${path}`
  }
}

const withWords = (words: PhoneWords | undefined) => (words ? { words } : {})
