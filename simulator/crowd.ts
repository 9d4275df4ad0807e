import { CallFailure } from './call.ts'
import { DeviceSecrets } from './device-secrets.ts'
import type { PhoneEnd } from './obey.ts'
import type { Phone } from './participant.ts'
import { backoffMs, type Random } from './random.ts'
import type { Scenario } from './scenarios/scenario.ts'
import type { Schedule } from './schedule.ts'
import { type SignIn, signIn } from './sign-in.ts'

export type Credentials = { username: string; password: string }

export type Tally = {
  logins: number
  refusals: Map<string, number> // the server's words, and how many people heard them
  events: number
  acks: number
  ackMs: number[]
  lostStreams: number
}

/** More at once would only queue: each login costs the server a password check. */
const LOGINS_AT_ONCE = 4
const LOGOUTS_AT_ONCE = 16
const TRIES = 8
const SIGN_IN_AGAIN_MS = [45_000, 90_000] as const
/** A person with one of these has no way back to this room with this phone. */
const FINAL: readonly PhoneEnd[] = ['left', 'deleted', 'cancelled', 'phone_changed']

type CrowdOptions = Pick<SignIn, 'baseUrl' | 'hostId' | 'secrets'> & {
  scenario: Scenario
  random: Random
  schedule: Schedule
}

/** Many people with one phone each, and the count of what befalls them. */
export class Crowd {
  readonly phones = new Set<Phone>()
  readonly tally: Tally = { logins: 0, refusals: new Map(), events: 0, acks: 0, ackMs: [], lostStreams: 0 }
  #options: CrowdOptions
  #secrets: DeviceSecrets
  #isLeaving = false

  constructor(options: CrowdOptions) {
    this.#options = options
    this.#secrets = options.secrets ?? new DeviceSecrets()
  }

  async signInAll(people: readonly Credentials[]) {
    const waiting = [...people]
    const signInNext = async () => {
      for (let person = waiting.shift(); person && !this.#isLeaving; person = waiting.shift()) await this.#enter(person)
    }
    await Promise.all(Array.from({ length: LOGINS_AT_ONCE }, signInNext))
  }

  /** Logs every phone out; those that cannot reach the server any more are put away. */
  async leave() {
    this.#isLeaving = true
    const leaving = [...this.phones]
    const leaveNext = async () => {
      for (let phone = leaving.pop(); phone; phone = leaving.pop()) await phone.logout().catch(() => {})
    }
    await Promise.all(Array.from({ length: LOGOUTS_AT_ONCE }, leaveNext))
  }

  async #enter(person: Credentials) {
    const phone = await this.#signIn(person)
    if (!phone) return
    this.phones.add(phone)
    this.#count(phone)
    phone.once('ended', (reason) => {
      this.phones.delete(phone)
      if (!FINAL.includes(reason)) this.#signInLater(person)
    })
    if (this.#isLeaving) await phone.logout().catch(() => {})
    else await phone.openStream().catch(() => {}) // it goes on trying by itself
  }

  async #signIn(person: Credentials): Promise<Phone | null> {
    const { baseUrl, hostId, random, schedule } = this.#options
    const chance = random.fork(person.username)
    const how = { random: chance, schedule, secrets: this.#secrets }
    for (let tries = 0; tries < TRIES; tries++) {
      try {
        const phone = await signIn({ baseUrl, hostId, ...person, ...how })
        this.tally.logins += 1
        return phone
      } catch (error) {
        const isRefused = error instanceof CallFailure && error.retryAfterMs === null
        if (isRefused || tries === TRIES - 1) this.#refused(person, error)
        if (isRefused) return null
        const asked = error instanceof CallFailure ? (error.retryAfterMs ?? 0) : 0
        if (!(await schedule.wait(asked + backoffMs(tries, chance)))) return null
      }
    }
    return null
  }

  #refused(person: Credentials, error: unknown) {
    const { refusals } = this.tally
    const words = error instanceof Error ? error.message : String(error)
    refusals.set(words, (refusals.get(words) ?? 0) + 1)
    // A stopped room or a deactivated user may be let in again; a wrong password stays wrong.
    if (error instanceof CallFailure && error.status === 403) this.#signInLater(person)
  }

  #signInLater(person: Credentials) {
    const { scenario, random, schedule } = this.#options
    if (this.#isLeaving || !scenario.signsInAgain) return
    schedule.after(random.between(...SIGN_IN_AGAIN_MS), () => void this.#enter(person))
  }

  #count(phone: Phone) {
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
