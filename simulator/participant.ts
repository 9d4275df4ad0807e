import { EventEmitter } from 'node:events'
import type { z } from 'zod'
import { Done } from '../shared/envelope.ts'
import { type LiveState, type MobileLoginAnswer, MobileMeAnswer, MobileStatusAnswer } from '../shared/mobile.ts'
import { parseRoomEvent } from '../shared/room-events.ts'
import { StreamSession } from '../shared/rooms.ts'
import { CallFailure, call } from './call.ts'
import { followEvents, type StreamEvent } from './event-stream.ts'
import { type Fits, type HeardEvent, nextAcknowledged, nextHeard } from './hearing.ts'
import { endedBy, isCommandFor, obey, type PhoneEnd, type PhoneState } from './obey.ts'
import { backoffMs, type Random } from './random.ts'
import type { Schedule } from './schedule.ts'
import { type Acknowledged, StatusCalls, type StatusChange } from './status-calls.ts'

type PhoneEvents = {
  event: [HeardEvent]
  state: [PhoneState]
  acknowledged: [Acknowledged]
  stream: ['open' | 'lost']
  ended: [PhoneEnd]
}

/** Long enough for a server that is busy beyond all measure: whoever waits goes on with what it waits for. */
const PATIENCE_MS = 60_000
const ACKNOWLEDGED_WITHIN_MS = 10_000
const KEPT_ACKS = 100

export type Login = z.infer<typeof MobileLoginAnswer>['data']

/** A phone in a room: it holds its stream, keeps its presence alive, and does at once what the host says. */
export class Phone extends EventEmitter<PhoneEvents> {
  readonly token: string
  readonly user: Login['user']
  room: Login['room']
  readonly app: Login['app']
  readonly random: Random
  #baseUrl: string
  #schedule: Schedule
  #status: StatusCalls
  #state: PhoneState
  #network: AbortController | null = null // null: no stream is held
  #lastEventId = ''
  #acknowledged: string[] = []

  constructor(baseUrl: string, login: Login, { random, schedule }: { random: Random; schedule: Schedule }) {
    super()
    this.setMaxListeners(0)
    this.token = login.token
    this.user = login.user
    this.room = login.room
    this.app = login.app
    this.random = random
    this.#baseUrl = baseUrl
    this.#schedule = schedule
    const { id, is_host } = login.user
    const live = { is_muted: false, speaker_on: false, wants_to_speak: false, is_speaking: false }
    this.#state = { id, is_host, ...live, host_mute_all_active: false, ended: null }
    this.#status = new StatusCalls({
      send: (body, signal) => this.#sendStatus(body, signal),
      onAnswer: (answer) => this.#become({ ...this.#state, ...answer }),
      onAcknowledged: (acknowledged) => {
        this.#acknowledged = [...this.#acknowledged, ...acknowledged.ids].slice(-KEPT_ACKS)
        this.emit('acknowledged', acknowledged)
      },
      onSignedOut: () => this.#end('signed_out'),
      schedule,
      random,
    })
  }

  get state(): PhoneState {
    return this.#state
  }

  /** Holds a stream, or is on its way back to one. */
  get isConnected() {
    return this.#network !== null
  }

  /** Resolves once the stream speaks and the server has said how this phone stands. */
  async openStream() {
    const opened = this.heard((event) => event.name === 'test')
    this.#connect()
    await Promise.all([opened, this.report()])
  }

  /** Says what changed (nothing: a heartbeat), whether it is allowed or not; resolves with what holds now. */
  async report(change: StatusChange = {}): Promise<PhoneState> {
    await this.#status.report(change)
    return this.#state
  }

  /** Opens the microphone and talks, unless muted. Says whether the server has it so. */
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

  /** The next event that fits. Begin to wait before doing what causes it. */
  heard(fits: Fits, { timeoutMs = PATIENCE_MS } = {}): Promise<HeardEvent> {
    return nextHeard(this, fits, timeoutMs)
  }

  /** Until the server has taken the acknowledgement of an event that was heard. */
  acknowledged(id: string, { timeoutMs = PATIENCE_MS } = {}): Promise<void> {
    return this.#acknowledged.includes(id) ? Promise.resolve() : nextAcknowledged(this, id, timeoutMs)
  }

  /** The network goes in the middle of a word; the server learns of it by silence alone. */
  drop() {
    this.#network?.abort()
    this.#network = null
    this.#status.pause()
    this.#become({ ...this.#state, speaker_on: false, is_speaking: false })
  }

  /** The network is back: the stream goes on after the last event heard, the talk from the beginning. */
  async comeBack(): Promise<PhoneState> {
    this.#connect()
    return this.stopSpeaking()
  }

  async logout() {
    this.drop() // else the end that the server makes of the stream would look like a loss
    try {
      await call(Done, 'POST', this.#url('/mobile/logout'), { token: this.token })
    } finally {
      this.close()
    }
  }

  /** Puts the phone away without a word to the server. */
  close() {
    this.#end('left')
  }

  #connect() {
    if (this.#network || this.#state.ended) return
    this.#status.resume()
    this.#network = new AbortController()
    void this.#holdStream(this.#network.signal)
  }

  async #holdStream(signal: AbortSignal) {
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
          random: this.random,
          onOpen: () => {
            failures = 0
            this.emit('stream', 'open')
          },
          onLost: () => this.emit('stream', 'lost'),
          onEvent: (event) => this.#hear(event),
        })
      } catch (error) {
        if (error instanceof CallFailure && error.status === 401) return this.#end('signed_out')
        if (error instanceof CallFailure && error.status === 404) await this.#readRoom(signal)
      }
      if (!(await this.#schedule.wait(backoffMs(failures, this.random), signal))) return
    }
  }

  /** The host may have connected Zoom since the login, which gives the room another meeting. */
  async #readRoom(signal: AbortSignal) {
    const me = call(MobileMeAnswer, 'GET', this.#url('/mobile/me'), { token: this.token, signal })
    this.room = await me.then(
      ({ data }) => data.room,
      () => this.room,
    )
  }

  #hear({ id, name, data }: StreamEvent) {
    if (id) this.#lastEventId = id
    const event = parseRoomEvent(name, data)
    if (!event) return
    const next = obey(this.#state, event)
    if (isCommandFor(this.#state, event)) {
      if (next.is_muted) this.#status.takeBackSpeech()
      if (!next.ended) this.#status.acknowledge(id)
      // Its session is over already, so that the server may not want to know any more.
      else this.#sendStatus({ acks: [id] }, AbortSignal.timeout(ACKNOWLEDGED_WITHIN_MS)).catch(() => {})
    }
    this.#become(next.ended ? this.#state : next)
    this.emit('event', { ...event, id })
    if (next.ended) this.#end(next.ended)
  }

  async #sendStatus(body: unknown, signal: AbortSignal): Promise<LiveState> {
    const url = this.#url('/mobile/status')
    return (await call(MobileStatusAnswer, 'POST', url, { token: this.token, body, signal })).data
  }

  #become(next: PhoneState) {
    if (next === this.#state) return
    this.#state = next
    this.emit('state', next)
  }

  #end(reason: PhoneEnd) {
    if (this.#state.ended) return
    this.drop()
    this.#become(endedBy(this.#state, reason))
    this.emit('ended', reason)
  }

  #url(path: string) {
    return `${this.#baseUrl}/api${path}`
  }
}
