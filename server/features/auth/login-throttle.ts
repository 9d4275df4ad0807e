import type { LRUCache } from 'lru-cache'
import { HOUR_MS, MINUTE_MS } from '../../../shared/dates.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { addressGroup } from '../../lib/address-group.ts'
import { boundedCache } from '../../lib/bounded-cache.ts'
import type { Bus } from '../../lib/bus.ts'
import type { Clock } from '../../lib/clock.ts'
import { KeyedSlots } from '../../lib/keyed-slots.ts'
import { SlidingWindow } from '../../lib/sliding-window.ts'
import { KnownDevices } from './known-devices.ts'

/** Of one account from one address. */
const FREE_FAILURES = 5
const FIRST_WAIT_MS = 2_000
const LONGEST_WAIT_MS = 15 * MINUTE_MS
const MAX_CHECKS = 5
const MAX_WAITING = 50

const MAX_ACCOUNT_FAILURES_PER_HOUR = 100
const MAX_ADDRESS_FAILURES_PER_MINUTE = 20
/** High enough for a whole office that signs in at once. */
const MAX_WAITING_AT_ADDRESS = 500

/** The failures of one account from one address. */
interface Guesser {
  failures: number
  failedAt: number
  blockedUntil: number
}

interface CheckedSignIn {
  /** Null for a link, whose token is too long to be guessed. */
  account: string | null
  address: string
  isRight: boolean
  at: number
}

/** The policy of docs/decisions/0008. A check in flight counts as a failure until it turns out to be none. */
export class LoginThrottle {
  readonly #now: Clock
  readonly #bus: Bus
  readonly #devices: KnownDevices
  readonly #guessers: LRUCache<string, Guesser>
  readonly #guesserSlots = new KeyedSlots()
  readonly #addressSlots = new KeyedSlots()
  readonly #addressFailures: SlidingWindow
  readonly #accountFailures: SlidingWindow
  readonly #accountChecks = new Map<string, number>()

  constructor(deps: Pick<Deps, 'db' | 'secrets' | 'now' | 'bus'>) {
    this.#now = deps.now
    this.#devices = new KnownDevices(deps)
    this.#guessers = boundedCache(deps.now, HOUR_MS)
    this.#addressFailures = new SlidingWindow(deps.now, MINUTE_MS)
    this.#accountFailures = new SlidingWindow(deps.now, HOUR_MS)
    this.#bus = deps.bus
    deps.bus.subscribe((message) => {
      if (message.type === 'sign-in-checked') this.#count(message)
    })
  }

  /**
   * Runs `check`, or throws `too_many`. The account need not exist. `device` is what the account may be known to sign in
   * from: a phone's id or secret, a console's address.
   */
  async guess<T extends { isRight: boolean }>(
    account: string,
    ip: string,
    check: () => Promise<T>,
    device = addressGroup(ip),
  ): Promise<T> {
    const address = addressGroup(ip)
    const guesser = guesserKey(account, address)
    const slots = { concurrency: this.#isSlowed(guesser) ? 1 : MAX_CHECKS, maxWaiting: MAX_WAITING, full }
    return this.#guesserSlots.run(guesser, slots, () =>
      this.#atAddress(address, async () => {
        const { blockedUntil = 0 } = this.#guessers.get(guesser) ?? {}
        if (blockedUntil > this.#now()) throw tooMany(blockedUntil - this.#now())
        return this.#ofAccount(account, device, () => this.#check(account, address, check))
      }),
    )
  }

  /** The same for a token that nobody can guess: what is wrong counts for the address alone, so that it fills nothing. */
  async guessToken<T extends { isRight: boolean }>(ip: string, check: () => Promise<T>): Promise<T> {
    const address = addressGroup(ip)
    return this.#atAddress(address, () => this.#check(null, address, check))
  }

  async #check<T extends { isRight: boolean }>(
    account: string | null,
    address: string,
    check: () => Promise<T>,
  ): Promise<T> {
    const checked = await check()
    const checkedSignIn = { account, address, isRight: checked.isRight, at: this.#now() }
    this.#count(checkedSignIn)
    this.#bus.publish({ type: 'sign-in-checked', ...checkedSignIn })
    return checked
  }

  /** Treats the account as having signed in from the device before. */
  remember(account: string, device: string): Promise<void> {
    return this.#devices.remember(account, device)
  }

  /** Waits while the checks in flight, should they all fail, would use up what the address has left. */
  async #atAddress<T>(address: string, run: () => Promise<T>): Promise<T> {
    const slots = { concurrency: this.#slotsLeft(address), maxWaiting: MAX_WAITING_AT_ADDRESS, full }
    return this.#addressSlots.run(address, slots, async () => {
      if (this.#addressFailures.count(address) >= MAX_ADDRESS_FAILURES_PER_MINUTE)
        throw tooMany(this.#addressFailures.msUntilNext(address))
      return run()
    })
  }

  /** At least one, so that the waiting checks are refused in turn. */
  #slotsLeft(address: string): number {
    return Math.max(1, MAX_ADDRESS_FAILURES_PER_MINUTE - this.#addressFailures.count(address))
  }

  async #ofAccount<T extends { isRight: boolean }>(account: string, device: string, run: () => Promise<T>): Promise<T> {
    const inFlight = this.#accountChecks.get(account) ?? 0
    const isAttacked = this.#accountFailures.count(account) + inFlight >= MAX_ACCOUNT_FAILURES_PER_HOUR
    this.#accountChecks.set(account, inFlight + 1)
    try {
      if (isAttacked && !(await this.#devices.has(account, device)))
        throw tooMany(this.#accountFailures.msUntilNext(account))
      const checked = await run()
      if (checked.isRight) await this.#devices.remember(account, device)
      return checked
    } finally {
      const left = (this.#accountChecks.get(account) ?? 1) - 1
      if (left > 0) this.#accountChecks.set(account, left)
      else this.#accountChecks.delete(account)
    }
  }

  /** A sign-in here or at another server. */
  #count({ account, address, isRight, at }: CheckedSignIn): void {
    if (!isRight) this.#fail(account, address, at)
    else if (account !== null) this.#guessers.delete(guesserKey(account, address))
  }

  #fail(account: string | null, address: string, at: number): void {
    this.#addressFailures.add(address, at)
    this.#addressSlots.narrow(address, this.#slotsLeft(address))
    if (account === null) return
    this.#accountFailures.add(account, at)
    const guesser = guesserKey(account, address)
    const last = this.#guessers.get(guesser)
    const failures = last && at - last.failedAt < HOUR_MS ? last.failures + 1 : 1
    const doublings = failures - FREE_FAILURES
    const waitMs = doublings < 0 ? 0 : Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** doublings)
    this.#guessers.set(guesser, { failures, failedAt: at, blockedUntil: at + waitMs })
    if (doublings >= 0) this.#guesserSlots.narrow(guesser, 1)
  }

  #isSlowed(guesser: string): boolean {
    return (this.#guessers.get(guesser)?.failures ?? 0) >= FREE_FAILURES
  }
}

const full = () => tooMany(FIRST_WAIT_MS)
const guesserKey = (account: string, address: string) => `${address} ${account}`

function tooMany(waitMs: number): AppError {
  return new AppError('too_many', 'Too many attempts. Please wait a moment and try again.', {
    retryAfterSeconds: Math.ceil(waitMs / 1000),
  })
}
