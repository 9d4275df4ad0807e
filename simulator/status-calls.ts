import type { z } from 'zod'
import type { LiveState, MobileStatus } from '../shared/mobile.ts'
import { HEARTBEAT_MS } from '../shared/room-events.ts'
import { CallFailure } from './call.ts'
import { backoffMs, type Random } from './random.ts'
import type { Schedule } from './schedule.ts'

type StatusBody = NonNullable<z.input<typeof MobileStatus>>
export type StatusChange = Omit<StatusBody, 'acks'>
export type Acknowledged = { ids: string[]; ms: number } // from hearing the first of them to the server's answer

type StatusOptions = {
  send: (body: StatusBody | undefined, signal: AbortSignal) => Promise<LiveState>
  onAnswer: (answer: LiveState) => void
  onAcknowledged: (acknowledged: Acknowledged) => void
  onSignedOut: () => void
  schedule: Schedule
  random: Random
}

/** Comfortably inside the beat that the server asks for. */
const BEAT_MS = HEARTBEAT_MS * 0.85

/** The status calls of one phone, one at a time: what changed, what was heard, and else the heartbeat. */
export class StatusCalls {
  #options: StatusOptions
  #change: StatusChange = {}
  #acks: { id: string; heardAt: number }[] = []
  #queue: Promise<unknown> = Promise.resolve()
  #next: Promise<boolean> | null = null
  #network: AbortController | null = new AbortController()
  #failures = 0
  #cancelBeat = () => {}

  constructor(options: StatusOptions) {
    this.#options = options
  }

  /** Resolves when the server has answered a call that carried the change, and the answer was believed. */
  async report(change: StatusChange = {}): Promise<void> {
    Object.assign(this.#change, change)
    if (!this.#next) {
      this.#next = this.#queue.then(() => this.#sendNext())
      this.#queue = this.#next.catch(() => {})
    }
    const isNewest = await this.#next
    if (!isNewest) await this.report() // the acknowledgement that is due tells how things stand now
  }

  acknowledge(id: string) {
    this.#acks.push({ id, heardAt: performance.now() })
    this.report().catch(() => {}) // a failed one goes again with the next beat
  }

  /** A mute came before the wish to speak was sent. */
  takeBackSpeech() {
    delete this.#change.is_speaking
    delete this.#change.speaker_on
  }

  /** No signal: the call under way breaks off, and no heartbeat goes out. What was heard stays to be acknowledged. */
  pause() {
    this.#network?.abort()
    this.#network = null
    this.#change = {}
    this.#cancelBeat()
  }

  resume() {
    this.#network ??= new AbortController()
  }

  /** Whether the answer knows of all that was heard. */
  async #sendNext(): Promise<boolean> {
    this.#next = null
    const { send, onAnswer, onAcknowledged, onSignedOut } = this.#options
    const network = this.#network
    const change = this.#change
    const acks = this.#acks
    this.#change = {}
    if (!network) throw new Error('The phone has no network')
    this.#acks = []
    this.#cancelBeat()

    try {
      const ids = acks.map((ack) => ack.id)
      const body = { ...change, ...(ids.length > 0 && { acks: ids }) }
      const answer = await send(Object.keys(body).length > 0 ? body : undefined, network.signal)
      this.#failures = 0
      const isNewest = this.#acks.length === 0 // else a command was heard meanwhile, which this answer may precede
      if (isNewest) onAnswer(answer)
      const [first] = acks
      if (first) onAcknowledged({ ids, ms: performance.now() - first.heardAt })
      this.#beatIn(BEAT_MS)
      return isNewest
    } catch (error) {
      if (error instanceof CallFailure && error.status === 401) {
        onSignedOut()
      } else if (!(error instanceof CallFailure) || error.retryAfterMs !== null) {
        this.#acks = [...acks, ...this.#acks]
        if (this.#network === network) this.#change = { ...change, ...this.#change }
        this.#beatIn(this.#pauseAfter(error))
      } else {
        this.#beatIn(BEAT_MS)
      }
      throw error
    }
  }

  #pauseAfter(error: unknown) {
    const asked = error instanceof CallFailure ? (error.retryAfterMs ?? 0) : 0
    return Math.max(asked, backoffMs(this.#failures++, this.#options.random))
  }

  #beatIn(ms: number) {
    this.#cancelBeat()
    if (!this.#network) return
    this.#cancelBeat = this.#options.schedule.after(ms, () => this.report().catch(() => {}))
  }
}
