import pLimit from 'p-limit'
import type { z } from 'zod'
import type { LiveState, MobileStatus } from '../mobile.ts'
import { HEARTBEAT_MS } from '../room-events.ts'
import type { PhoneSessionEnd } from '../session-end.ts'
import { backoffMs, type Chance } from './backoff.ts'
import { CallFailure } from './call.ts'
import type { Schedule } from './schedule.ts'

type StatusBody = NonNullable<z.input<typeof MobileStatus>>
export type StatusChange = Omit<StatusBody, 'acks'>
export type Acknowledged = { ids: string[]; ms: number } // from the first of them to the server's answer

type StatusOptions = {
  send: (body: StatusBody | undefined, signal: AbortSignal) => Promise<LiveState>
  onAnswer: (answer: LiveState) => void
  onAcknowledged: (acknowledged: Acknowledged) => void
  onSignedOut: (why: PhoneSessionEnd | null) => void
  /** Any call that does not deny it says that the phone is awake. */
  isAwake?: (() => boolean) | undefined
  schedule: Schedule
  chance: Chance
}

/** Comfortably within the interval that the server expects. */
const INTERVAL_MS = HEARTBEAT_MS * 0.85

/** The status calls of one phone, one at a time, with its changes and acknowledgements, or as a heartbeat. */
export class StatusCalls {
  #options: StatusOptions
  #change: StatusChange = {}
  #acks: { id: string; receivedAt: number }[] = []
  #obeying = new Set<Promise<void>>()
  #oneAtATime = pLimit(1)
  #next: Promise<boolean> | null = null
  #network: AbortController | null = new AbortController()
  #failures = 0
  #cancelHeartbeat = () => {}

  constructor(options: StatusOptions) {
    this.#options = options
  }

  /** Resolves when the server has answered a call that carried the change, and the answer was applied. */
  async report(change: StatusChange = {}): Promise<void> {
    Object.assign(this.#change, change)
    this.#next ??= this.#oneAtATime(() => this.#sendNext())
    const isNewest = await this.#next
    if (isNewest) return
    await Promise.all(this.#obeying)
    await this.report() // the answer to the pending acknowledgement has the state
  }

  /** At once, or when the command has taken effect. Until then answers are ignored, since they may precede it. */
  acknowledge(id: string, obeyed?: Promise<void>) {
    const receivedAt = performance.now()
    const send = () => {
      this.#acks.push({ id, receivedAt })
      this.report().catch(() => {}) // the next heartbeat retries a failed one
    }
    if (!obeyed) return send()
    const done = obeyed.then(() => {
      this.#obeying.delete(done)
      send()
    })
    this.#obeying.add(done)
  }

  /** For a mute that comes before the change was sent. */
  withdrawSpeech() {
    delete this.#change.is_speaking
    delete this.#change.speaker_on
  }

  /** Without a network: aborts the current call and the heartbeat, and keeps the acknowledgements for later. */
  pause() {
    this.#network?.abort()
    this.#network = null
    this.#change = {}
    this.#cancelHeartbeat()
  }

  resume() {
    this.#network ??= new AbortController()
  }

  /** Returns whether the answer is newer than all received commands. */
  async #sendNext(): Promise<boolean> {
    this.#next = null
    const { send, onAnswer, onAcknowledged, onSignedOut, isAwake = () => true } = this.#options
    const network = this.#network
    const change = this.#change
    const acks = this.#acks
    this.#change = {}
    if (!network) throw new Error('The phone has no network')
    this.#acks = []
    this.#cancelHeartbeat()

    try {
      const ids = acks.map((ack) => ack.id)
      const body = { ...change, ...(!isAwake() && { awake: false }), ...(ids.length > 0 && { acks: ids }) }
      const answer = await send(Object.keys(body).length > 0 ? body : undefined, network.signal)
      this.#failures = 0
      // Else a command came during the call, which this answer may precede.
      const isNewest = this.#acks.length === 0 && this.#obeying.size === 0
      if (isNewest) onAnswer(answer)
      const [first] = acks
      if (first) onAcknowledged({ ids, ms: performance.now() - first.receivedAt })
      this.#scheduleHeartbeat(INTERVAL_MS)
      return isNewest
    } catch (error) {
      if (error instanceof CallFailure && error.status === 401) {
        onSignedOut(error.sessionEnd)
      } else if (!(error instanceof CallFailure) || error.retryAfterMs !== null) {
        this.#acks = [...acks, ...this.#acks]
        if (this.#network === network) this.#change = { ...change, ...this.#change }
        this.#scheduleHeartbeat(this.#retryDelay(error))
      } else {
        this.#scheduleHeartbeat(INTERVAL_MS)
      }
      throw error
    }
  }

  #retryDelay(error: unknown) {
    const asked = error instanceof CallFailure ? (error.retryAfterMs ?? 0) : 0
    return Math.max(asked, backoffMs(this.#failures++, this.#options.chance))
  }

  #scheduleHeartbeat(ms: number) {
    this.#cancelHeartbeat()
    if (!this.#network) return
    this.#cancelHeartbeat = this.#options.schedule.after(ms, () => this.report().catch(() => {}))
  }
}
