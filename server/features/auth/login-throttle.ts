import pLimit, { type LimitFunction } from 'p-limit'
import { HOUR_MS, MINUTE_MS } from '../../../shared/dates.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { addressGroup } from '../../lib/address-group.ts'
import type { Bus } from '../../lib/bus.ts'
import type { Clock } from '../../lib/clock.ts'
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

const MAX_KEYS = 50_000

/** The failures of one account from one address. */
interface Guesser {
  failures: number
  failedAt: number
  blockedUntil: number
  slots: LimitFunction
}

interface CheckedSignIn {
  account: string
  address: string
  isRight: boolean
  at: number
}

/** The policy of docs/decisions/0008. A check in flight counts as a failure until it turns out to be none. */
export class LoginThrottle {
  readonly #now: Clock
  readonly #bus: Bus
  readonly #devices: KnownDevices
  readonly #guessers = new Map<string, Guesser>()
  readonly #addressSlots = new Map<string, LimitFunction>()
  readonly #addressFailures: SlidingWindow
  readonly #accountFailures: SlidingWindow
  readonly #accountChecks = new Map<string, number>()

  constructor(deps: Pick<Deps, 'db' | 'secrets' | 'now' | 'bus'>) {
    this.#now = deps.now
    this.#devices = new KnownDevices(deps)
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
    const guesser = this.#guesser(account, address)
    guesser.slots.concurrency = this.#isSlowed(guesser) ? 1 : MAX_CHECKS
    if (guesser.slots.pendingCount >= MAX_WAITING) throw tooMany(FIRST_WAIT_MS)
    try {
      return await guesser.slots(() =>
        this.#atAddress(address, async () => {
          if (guesser.blockedUntil > this.#now()) throw tooMany(guesser.blockedUntil - this.#now())
          return this.#ofAccount(account, device, async () => {
            const checked = await check()
            const checkedSignIn = { account, address, isRight: checked.isRight, at: this.#now() }
            this.#count(checkedSignIn)
            this.#bus.publish({ type: 'sign-in-checked', ...checkedSignIn })
            return checked
          })
        }),
      )
    } finally {
      if (this.#guessers.size + this.#addressSlots.size > MAX_KEYS) this.#prune()
    }
  }

  /** Treats the account as having signed in from the device before. */
  remember(account: string, device: string): Promise<void> {
    return this.#devices.remember(account, device)
  }

  /** Waits while the checks in flight, should they all fail, would use up what the address has left. */
  async #atAddress<T>(address: string, run: () => Promise<T>): Promise<T> {
    const slots = getOrAdd(this.#addressSlots, address, () => pLimit(MAX_ADDRESS_FAILURES_PER_MINUTE))
    slots.concurrency = this.#slotsLeft(address)
    if (slots.pendingCount >= MAX_WAITING_AT_ADDRESS) throw tooMany(FIRST_WAIT_MS)
    return slots(async () => {
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

  #guesser(account: string, address: string): Guesser {
    return getOrAdd(this.#guessers, `${address} ${account}`, newGuesser)
  }

  /** A sign-in here or at another server. */
  #count({ account, address, isRight, at }: CheckedSignIn): void {
    const guesser = this.#guesser(account, address)
    if (isRight) guesser.failures = 0
    else this.#fail(guesser, account, address, at)
  }

  #fail(guesser: Guesser, account: string, address: string, at: number): void {
    guesser.failures = at - guesser.failedAt < HOUR_MS ? guesser.failures + 1 : 1
    guesser.failedAt = at
    const doublings = guesser.failures - FREE_FAILURES
    if (doublings >= 0) {
      guesser.blockedUntil = at + Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** doublings)
      guesser.slots.concurrency = 1
    }
    this.#accountFailures.add(account, at)
    this.#addressFailures.add(address, at)
    const slots = this.#addressSlots.get(address)
    if (slots) slots.concurrency = this.#slotsLeft(address)
  }

  #isSlowed({ failures, failedAt }: Guesser): boolean {
    return failures >= FREE_FAILURES && this.#now() - failedAt < HOUR_MS
  }

  #prune(): void {
    const now = this.#now()
    for (const [key, { failedAt, slots }] of this.#guessers)
      if (isIdle(slots) && now - failedAt > HOUR_MS) this.#guessers.delete(key)
    for (const [key, slots] of this.#addressSlots) if (isIdle(slots)) this.#addressSlots.delete(key)
  }
}

const newGuesser = (): Guesser => ({ failures: 0, failedAt: 0, blockedUntil: 0, slots: pLimit(MAX_CHECKS) })
const isIdle = ({ activeCount, pendingCount }: LimitFunction) => activeCount + pendingCount === 0

function getOrAdd<T>(map: Map<string, T>, key: string, make: () => T): T {
  const value = map.get(key) ?? make()
  map.set(key, value)
  return value
}

function tooMany(waitMs: number): AppError {
  return new AppError('too_many', 'Too many attempts. Please wait a moment and try again.', {
    retryAfterSeconds: Math.ceil(waitMs / 1000),
  })
}
