import pLimit from 'p-limit'
import { backoffMs } from '../shared/phone/backoff.ts'
import { CallFailure } from '../shared/phone/call.ts'
import type { PhoneEnd } from '../shared/phone/obey.ts'
import type { Schedule } from '../shared/phone/schedule.ts'
import { DeviceSecrets } from './device-secrets.ts'
import type { SimulatedPhone } from './phone.ts'
import type { Random } from './random.ts'
import { readWords } from './read-words.ts'
import type { Scenario } from './scenarios/scenario.ts'
import { type SignInOptions, signInPhone } from './sign-in.ts'
import { stayInMeeting } from './zoom-meeting.ts'

export type PhoneLogin = { username: string; password: string }

export type CrowdCounts = {
  logins: number
  refusals: Map<string, number> // number of people, by the server's message
  events: number
  acks: number
  ackMs: number[]
  lostStreams: number
}

/** More would only queue, since the server hashes every password. */
const LOGIN_CONCURRENCY = 4
const LOGOUT_CONCURRENCY = 16
const ATTEMPTS = 8
const SIGN_IN_AGAIN_MS = [45_000, 90_000] as const
/** Reasons after which the person cannot sign in on this phone again. */
const FINAL: readonly PhoneEnd[] = ['left', 'deleted', 'cancelled', 'phone_changed']

type CrowdOptions = Pick<SignInOptions, 'baseUrl' | 'hostId' | 'secrets'> & {
  scenario: Scenario
  random: Random
  schedule: Schedule
  /** The Zoom emulator's address. If it is set, phones join its meeting too. */
  zoom?: string | undefined
}

/** A crowd of people with one phone each, and the counts of its events. */
export class Crowd {
  readonly phones = new Set<SimulatedPhone>()
  readonly tally: CrowdCounts = { logins: 0, refusals: new Map(), events: 0, acks: 0, ackMs: [], lostStreams: 0 }
  #options: CrowdOptions
  #secrets: DeviceSecrets
  #inMeeting = new Set<Promise<void>>()
  #isLeaving = false

  constructor(options: CrowdOptions) {
    this.#options = options
    this.#secrets = options.secrets ?? new DeviceSecrets()
  }

  async signInAll(people: readonly PhoneLogin[]) {
    await pLimit(LOGIN_CONCURRENCY).map(people, async (person) => {
      if (!this.#isLeaving) await this.#join(person)
    })
  }

  /** Logs every phone out; one that cannot reach the server is just closed. */
  async leave() {
    this.#isLeaving = true
    await pLimit(LOGOUT_CONCURRENCY).map(this.phones, (phone) => phone.logout().catch(() => {}))
    await Promise.all(this.#inMeeting)
  }

  async #join(person: PhoneLogin) {
    const phone = await this.#signIn(person)
    if (!phone) return
    this.phones.add(phone)
    this.#countEvents(phone)
    readWords(phone, this.#options.schedule)
    phone.once('ended', (reason) => {
      this.phones.delete(phone)
      if (!FINAL.includes(reason)) this.#signInLater(person)
    })
    this.#joinMeeting(phone)
    if (this.#isLeaving) await phone.logout().catch(() => {})
    else await phone.openStream().catch(() => {}) // it keeps retrying
  }

  #joinMeeting(phone: SimulatedPhone) {
    const { baseUrl, schedule, zoom } = this.#options
    if (!zoom) return
    const leaving = new AbortController()
    phone.once('ended', () => leaving.abort())
    const meeting = stayInMeeting({ phone, baseUrl, zoom, schedule, signal: leaving.signal })
    this.#inMeeting.add(meeting)
    void meeting.then(() => this.#inMeeting.delete(meeting))
  }

  async #signIn(person: PhoneLogin): Promise<SimulatedPhone | null> {
    const { baseUrl, hostId, random, schedule } = this.#options
    const personRandom = random.fork(person.username)
    const how = { random: personRandom, schedule, secrets: this.#secrets }
    for (let tries = 0; tries < ATTEMPTS; tries++) {
      try {
        const phone = await signInPhone({ baseUrl, hostId, ...person, ...how })
        this.tally.logins += 1
        return phone
      } catch (error) {
        const isRefused = error instanceof CallFailure && error.retryAfterMs === null
        if (isRefused || tries === ATTEMPTS - 1) this.#countRefusal(person, error)
        if (isRefused) return null
        const retryAfterMs = error instanceof CallFailure ? (error.retryAfterMs ?? 0) : 0
        if (!(await schedule.wait(retryAfterMs + backoffMs(tries, personRandom)))) return null
      }
    }
    return null
  }

  #countRefusal(person: PhoneLogin, error: unknown) {
    const { refusals } = this.tally
    const message = error instanceof Error ? error.message : String(error)
    refusals.set(message, (refusals.get(message) ?? 0) + 1)
    // The host may reactivate a stopped room or a user; a wrong password stays wrong.
    if (error instanceof CallFailure && error.status === 403) this.#signInLater(person)
  }

  #signInLater(person: PhoneLogin) {
    const { scenario, random, schedule } = this.#options
    if (this.#isLeaving || !scenario.signsInAgain) return
    schedule.after(random.between(...SIGN_IN_AGAIN_MS), () => void this.#join(person))
  }

  #countEvents(phone: SimulatedPhone) {
    const { tally } = this
    phone.on('event', () => {
      tally.events += 1
    })
    phone.on('acknowledged', ({ ids, ms }) => {
      tally.acks += ids.length
      if (ids.length > 0) tally.ackMs.push(ms)
    })
    phone.on('stream', (what) => {
      if (what === 'lost') tally.lostStreams += 1
    })
  }
}
