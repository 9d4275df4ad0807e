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
/** What the user wants of the host: the hand up or down, and "Not now" to one who asks to speak. */
export type Wishes = Pick<StatusChange, 'wants_to_speak' | 'declined'>
export type Acknowledged = { ids: string[]; ms: number } // from the first of them to the server's answer

type StatusOptions = {
  send: (body: StatusBody | undefined, signal: AbortSignal) => Promise<LiveState>
  onAnswer: (answer: LiveState) => void
  onAcknowledged: (acknowledged: Acknowledged) => void
  onSignedOut: (why: PhoneSessionEnd | null) => void
  /** Wishes that a call has failed to bring to the server; they go with a later one. */
  onUnsent: (wishes: Wishes) => void
  /** Any call that does not deny it says that the phone is awake. */
  isAwake?: (() => boolean) | undefined
  schedule: Schedule
  chance: Chance
}

/** Comfortably within the interval that the server expects. */
const INTERVAL_MS = HEARTBEAT_MS * 0.85

const SPEECH = ['is_speaking', 'speaker_on', 'muted_again'] as const
const WISHES = ['wants_to_speak', 'declined'] as const

const wishesIn = (change: StatusChange) => WISHES.filter((name) => change[name] !== undefined)

/** The status calls of one phone, one at a time, with its changes and acknowledgements, or as a heartbeat. */
export class StatusCalls {
  #options: StatusOptions
  #change: StatusChange = {}
  #sending: StatusChange = {}
  #unsent: Wishes = {}
  #isBehind = false // the stream has been away: the host may have given commands that this phone does not know
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
    this.#dropUnsent(...wishesIn(change)) // it is older
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
      // The events of the state at the start of a stream have one id.
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

  /** For a command that comes before the change has arrived. */
  withdraw(...names: (keyof StatusChange)[]) {
    for (const change of [this.#change, this.#sending]) for (const name of names) delete change[name]
    this.#dropUnsent(...names)
  }

  /** "Not now" is on its way. */
  get isDeclining(): boolean {
    return [this.#change, this.#sending, this.#unsent].some(({ declined }) => declined)
  }

  /** The hand is as the server says, so a call that seemed lost has brought it. */
  settleHand(wants_to_speak: boolean) {
    if (this.#unsent.wants_to_speak === wants_to_speak) this.#dropUnsent('wants_to_speak')
  }

  /** Without a network: aborts the current call and the heartbeat, and keeps all but the speech for later. */
  pause() {
    this.fallBehind()
    this.#network?.abort()
    this.#network = null
    this.withdraw(...SPEECH)
    this.#cancelHeartbeat()
  }

  /** Unsent wishes wait until it is known whether the host has commanded otherwise since. */
  fallBehind() {
    this.#isBehind = true
  }

  /** The stream repeats what it missed, all of which has come once a call after its beginning is answered. */
  async catchUp(): Promise<void> {
    if (wishesIn(this.#unsent).length > 0) await this.report()
    this.#isBehind = false
    if (wishesIn(this.#unsent).length > 0) await this.report()
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
        this.#keep(change)
        this.#scheduleHeartbeat(this.#retryDelay(error))
      } else {
        this.#dropUnsent(...wishesIn(change)) // the caller hears that they are refused
        this.#scheduleHeartbeat(INTERVAL_MS)
      }
      this.#sending = {}
      throw error
    }
  }

  /** For the next call, unless it has something newer to say. */
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
    const asked = error instanceof CallFailure ? (error.retryAfterMs ?? 0) : 0
    return Math.max(asked, backoffMs(this.#failures++, this.#options.chance))
  }

  #scheduleHeartbeat(ms: number) {
    this.#cancelHeartbeat()
    if (!this.#network) return
    this.#cancelHeartbeat = this.#options.schedule.after(ms, () => {
      if (this.#failures === 0) this.#isBehind = false // the server answers, and the stream has had its time
      this.report().catch(() => {})
    })
  }
}
