import pLimit from 'p-limit'
import type { z } from 'zod'
import type { LiveState, MobileStatus } from '../mobile.ts'
import { HEARTBEAT_MS } from '../room-events.ts'
import type { PhoneSessionEnd } from '../session-end.ts'
import { backoffMs, type RandomSource } from './backoff.ts'
import { CallFailure } from './call.ts'
import type { Schedule } from './schedule.ts'

export type StatusBody = NonNullable<z.input<typeof MobileStatus>>
export type StatusChange = Omit<StatusBody, 'acks' | 'left' | 'rejoined'>
/** The user's requests to the host: hand up or down, and "Not now" to a host who asks the user to speak. */
export type SpeakRequest = Pick<StatusChange, 'wants_to_speak' | 'declined'>
export type Acknowledgement = { ids: string[]; ms: number } // from the first command to the server's response

type StatusOptions = {
  send: (body: StatusBody | undefined, signal: AbortSignal) => Promise<LiveState>
  onAnswer: (answer: LiveState) => void
  onAcknowledged: (acknowledged: Acknowledgement) => void
  onSignedOut: (why: PhoneSessionEnd | null) => void
  /** Reports the wishes that a failed call could not deliver; a later call carries them. */
  onUnsent: (wishes: SpeakRequest) => void
  /** Every call means that the phone is awake unless this returns false. */
  isAwake?: (() => boolean) | undefined
  schedule: Schedule
  random: RandomSource
}

/** Well within the interval that the server expects. */
const INTERVAL_MS = HEARTBEAT_MS * 0.85

const SPEECH = ['is_speaking', 'speaker_on', 'muted_again'] as const
const WISHES = ['wants_to_speak', 'declined'] as const

const wishesIn = (change: StatusChange) => WISHES.filter((name) => change[name] !== undefined)

/** Sends a phone's status calls one at a time, each with its changes and acknowledgements, or as a heartbeat. */
export class StatusCalls {
  #options: StatusOptions
  #change: StatusChange = {}
  #sending: StatusChange = {}
  #unsent: SpeakRequest = {}
  #isBehind = false // true after a stream loss: the host may have sent commands that this phone does not know
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

  /** Resolves once the server has answered a call with the change and the answer is applied. */
  async report(change: StatusChange = {}): Promise<void> {
    Object.assign(this.#change, change)
    this.#dropUnsent(...wishesIn(change)) // the unsent wish is older
    this.#next ??= this.#oneAtATime(() => this.#sendNext())
    const isNewest = await this.#next
    if (isNewest) return
    await Promise.all(this.#obeying)
    await this.report() // the answer to the pending acknowledgement carries the state
  }

  /** Acknowledges at once, or once the command took effect. Until then answers are ignored, as they may be older. */
  acknowledge(id: string, obeyed?: Promise<void>) {
    const receivedAt = performance.now()
    const send = () => {
      // All events of the initial state share one id.
      if (!this.#acks.some((ack) => ack.id === id)) this.#acks.push({ id, receivedAt })
      this.report().catch(() => {}) // the next heartbeat retries a failed one
    }
    if (!obeyed) return send()
    const done = obeyed.then(() => {
      this.#obeying.delete(done)
      send()
    })
    this.#obeying.add(done)
  }

  /** Drops a pending change because a newer command overrides it. */
  withdraw(...names: (keyof StatusChange)[]) {
    for (const change of [this.#change, this.#sending]) for (const name of names) delete change[name]
    this.#dropUnsent(...names)
  }

  /** True while "Not now" is pending. */
  get isDeclining(): boolean {
    return [this.#change, this.#sending, this.#unsent].some(({ declined }) => declined)
  }

  /** The server's hand matches, so the call that seemed lost did arrive. */
  settleHand(wants_to_speak: boolean) {
    if (this.#unsent.wants_to_speak === wants_to_speak) this.#dropUnsent('wants_to_speak')
  }

  /** Call it on a network loss: aborts the current call and the heartbeat, and keeps all changes except speech. */
  pause() {
    this.fallBehind()
    this.#network?.abort()
    this.#network = null
    this.withdraw(...SPEECH)
    this.#cancelHeartbeat()
  }

  /** Holds unsent wishes back until it is known that no newer command of the host overrides them. */
  fallBehind() {
    this.#isBehind = true
  }

  /** The stream replays missed events; all have arrived once a call made after its start is answered. */
  async catchUp(): Promise<void> {
    if (wishesIn(this.#unsent).length > 0) await this.report()
    this.#isBehind = false
    if (wishesIn(this.#unsent).length > 0) await this.report()
  }

  resume() {
    this.#network ??= new AbortController()
  }

  /** Returns true if the answer is newer than all received commands. */
  async #sendNext(): Promise<boolean> {
    this.#next = null
    const { send, onAnswer, onAcknowledged, onSignedOut, isAwake = () => true } = this.#options
    const network = this.#network
    const change = this.#change
    const acks = this.#acks
    this.#change = {}
    if (!network) {
      this.#keep(change)
      this.withdraw(...SPEECH)
      throw new Error('The phone has no network')
    }
    this.#acks = []
    this.#cancelHeartbeat()
    if (!this.#isBehind) Object.assign(change, this.#unsent)
    this.#sending = change

    try {
      const ids = acks.map((ack) => ack.id)
      const body = { ...change, ...(!isAwake() && { awake: false }), ...(ids.length > 0 && { acks: ids }) }
      const answer = await send(Object.keys(body).length > 0 ? body : undefined, network.signal)
      this.#failures = 0
      this.#sending = {}
      this.#dropUnsent(...wishesIn(change))
      // Otherwise a command arrived during the call, and this answer may be older.
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
        this.#keep(change)
        this.#scheduleHeartbeat(this.#retryDelay(error))
      } else {
        this.#dropUnsent(...wishesIn(change)) // the caller gets the refusal
        this.#scheduleHeartbeat(INTERVAL_MS)
      }
      this.#sending = {}
      throw error
    }
  }

  /** Keeps a failed call's change for the next call, unless a newer one replaces it. */
  #keep(change: StatusChange) {
    const { wants_to_speak, declined, ...rest } = change
    const wishes = { wants_to_speak, declined }
    const kept = wishesIn(wishes).filter((name) => this.#change[name] === undefined)
    this.#change = { ...rest, ...this.#change }
    if (kept.length === 0) return
    this.#unsent = { ...this.#unsent }
    for (const name of kept) this.#unsent[name] = wishes[name]
    this.#options.onUnsent(this.#unsent)
  }

  #dropUnsent(...names: (keyof StatusChange)[]) {
    const dropped = wishesIn(this.#unsent).filter((name) => names.includes(name))
    if (dropped.length === 0) return
    this.#unsent = { ...this.#unsent }
    for (const name of dropped) delete this.#unsent[name]
    this.#options.onUnsent(this.#unsent)
  }

  #retryDelay(error: unknown) {
    const retryAfterMs = error instanceof CallFailure ? (error.retryAfterMs ?? 0) : 0
    return Math.max(retryAfterMs, backoffMs(this.#failures++, this.#options.random))
  }

  #scheduleHeartbeat(ms: number) {
    this.#cancelHeartbeat()
    if (!this.#network) return
    this.#cancelHeartbeat = this.#options.schedule.after(ms, () => {
      if (this.#failures === 0) this.#isBehind = false // the server responds, and the stream has had time to replay
      this.report().catch(() => {})
    })
  }
}
