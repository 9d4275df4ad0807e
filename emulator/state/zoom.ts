import { randomBytes } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { randomId } from './identifiers.ts'
import { emptyMemory, type LeaveReason, type LiveMeeting } from './memory.ts'
import { ZoomBehaviour } from './options.ts'
import { type SeedAccount, seedState } from './seed.ts'
import type { State, ZoomParticipant } from './state.ts'

export type ZoomSettings = {
  clientId: string
  clientSecret: string
  redirectUris: string[]
  /** Credentials of the Meeting SDK app, if it is a separate one. */
  sdkKey?: string | undefined
  sdkSecret?: string | undefined
  webhookUrl?: string
  webhookSecret?: string
  seed: SeedAccount[]
  options?: Partial<ZoomBehaviour>
  now: () => number
  /** Called after each change with the state to store. */
  onChange: (state: State) => void
}

/** The events that a meeting's sound depends on. */
type MeetingEvents = {
  joined: [live: LiveMeeting, participant: ZoomParticipant]
  left: [live: LiveMeeting, participant: ZoomParticipant, reason: LeaveReason]
  held: [live: LiveMeeting, participant: ZoomParticipant]
  recording: [live: LiveMeeting]
  ended: [live: LiveMeeting]
  reset: []
}

/** The data, clock and timers that the route files share. */
export class Zoom {
  readonly settings: ZoomSettings
  readonly linkKey = randomBytes(32)
  readonly meetingEvents = new EventEmitter<MeetingEvents>()
  origin = ''
  fileOrigin = ''
  state: State
  memory = emptyMemory()
  options: ZoomBehaviour
  endpoint: { url: string | undefined; secret: string | undefined }
  #skew = 0
  #stop = new AbortController()
  #timers = new Set<NodeJS.Timeout>()

  constructor(settings: ZoomSettings, state: State | undefined) {
    this.settings = settings
    this.state = state ?? seedState(settings.seed, settings.now())
    this.options = ZoomBehaviour.parse(settings.options ?? {})
    this.endpoint = { url: settings.webhookUrl, secret: settings.webhookSecret }
  }

  now() {
    return this.settings.now() + this.#skew
  }

  advance(ms: number) {
    this.#skew += ms
  }

  /** Aborts on the next reset or close. */
  get stopped() {
    return this.#stop.signal
  }

  changed() {
    this.settings.onChange(this.state)
  }

  later(ms: number, act: () => void) {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      act()
      this.changed()
    }, ms)
    timer.unref()
    this.#timers.add(timer)
  }

  stop() {
    this.#stop.abort()
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers.clear()
  }

  reset() {
    this.stop()
    this.#stop = new AbortController()
    this.#skew = 0
    this.memory = emptyMemory()
    this.options = ZoomBehaviour.parse(this.settings.options ?? {})
    this.endpoint = { url: this.settings.webhookUrl, secret: this.settings.webhookSecret }
    this.meetingEvents.emit('reset')
    this.state = seedState(this.settings.seed, this.now())
    this.changed()
  }

  accountByEmail(email: string) {
    return this.state.accounts.find((account) => account.email.toLowerCase() === email.trim().toLowerCase())
  }

  accountById(id: string) {
    return this.state.accounts.find((account) => account.id === id)
  }

  /** Resembles a JWT, long and opaque, like Zoom's tokens. */
  newToken() {
    return `eyJ${randomId(24)}.eyJ${randomId(240)}.${randomId(64)}`
  }
}
