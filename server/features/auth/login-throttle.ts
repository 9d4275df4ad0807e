import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { addressGroup } from '../../lib/address-group.ts'
import type { Clock } from '../../lib/clock.ts'
import { KnownDevices } from './known-devices.ts'

const MINUTE_MS = 60_000
const FREE_FAILURES = 5
const FIRST_WAIT_MS = 2_000
const LONGEST_WAIT_MS = 15 * 60_000
const FORGET_MS = 60 * 60_000
/** Of one account from one address; more wait until these are known to be right or wrong. */
const AT_ONCE = 5
const WAITING = 50
/** Failures of one account within an hour, from wherever they come. */
const PER_ACCOUNT = 100
/** Failures from one address, over all accounts, within a minute. */
const PER_ADDRESS = 20
/** Of one address; a whole office may sign in at once, and none of them is refused for the others. */
const WAITING_AT_ADDRESS = 500

interface Pair {
  failures: number
  last: number
  until: number
  inFlight: number
  waiting: (() => void)[]
}

interface Account {
  failedAt: number[]
  inFlight: number
}

interface Address {
  failedAt: number[]
  inFlight: number
  waiting: (() => void)[]
}

/**
 * Slows down guessing: after five failures for an account from an address each further one doubles the wait; an account
 * takes a hundred failures an hour from wherever, after which only what has been signed in to it before is let try; an
 * address may fail twenty times a minute over all accounts. What is being looked at counts as a failure until it is known
 * to be none. Says nothing of whether the account exists.
 */
export class LoginThrottle {
  readonly #now: Clock
  readonly #pairs = new Map<string, Pair>()
  readonly #accounts = new Map<string, Account>()
  readonly #addresses = new Map<string, Address>()
  readonly #devices: KnownDevices

  constructor(deps: Pick<Deps, 'db' | 'secrets' | 'now'>) {
    this.#now = deps.now
    this.#devices = new KnownDevices(deps)
  }

  /**
   * Looks at a password, unless there were too many before it; those that are being looked at count as well. `device` is
   * what an account is known to be signed in to from: a phone by its id, a console by its address.
   */
  async guess<T extends { isRight: boolean }>(
    account: string,
    ip: string,
    look: () => Promise<T>,
    device = addressGroup(ip),
  ): Promise<T> {
    const group = addressGroup(ip)
    const pair = held(this.#pairs, `${group} ${account}`, newPair)
    const all = held(this.#accounts, account, newAccount)
    const address = held(this.#addresses, group, newAddress)
    await this.#turn(pair)
    try {
      await this.#turnAt(address)
      try {
        return await this.#look(account, pair, all, address, look, device)
      } finally {
        address.inFlight--
        address.waiting.shift()?.()
      }
    } finally {
      pair.inFlight--
      pair.waiting.shift()?.()
      if (this.#accounts.size + this.#pairs.size + this.#addresses.size > 50_000) this.#forgetOld()
    }
  }

  /** Has an account signed in to from a device as if it had been once before. */
  remember(account: string, device: string): Promise<void> {
    return this.#devices.remember(account, device)
  }

  async #look<T extends { isRight: boolean }>(
    account: string,
    pair: Pair,
    all: Account,
    address: Address,
    look: () => Promise<T>,
    device: string,
  ): Promise<T> {
    const now = this.#now()
    if (pair.until > now) throw tooMany(pair.until - now)
    all.failedAt = all.failedAt.filter((at) => at > now - FORGET_MS)
    const isHunted = all.failedAt.length + all.inFlight >= PER_ACCOUNT
    all.inFlight++
    try {
      if (isHunted && !(await this.#devices.has(account, device)))
        throw tooMany((all.failedAt[0] ?? now) + FORGET_MS - now)
      const looked = await look()
      if (looked.isRight) {
        pair.failures = 0
        await this.#devices.remember(account, device)
      } else this.#failed(pair, all, address)
      return looked
    } finally {
      all.inFlight--
    }
  }

  async #turn(pair: Pair): Promise<void> {
    while (pair.inFlight >= (this.#isSlowed(pair) ? 1 : AT_ONCE)) {
      if (pair.waiting.length >= WAITING) throw tooMany(FIRST_WAIT_MS)
      await new Promise<void>((resolve) => pair.waiting.push(resolve))
    }
    pair.inFlight++
  }

  /** Waits while those before it, should they all fail, would be as many as an address may. */
  async #turnAt(address: Address): Promise<void> {
    for (;;) {
      const now = this.#now()
      address.failedAt = address.failedAt.filter((at) => at > now - MINUTE_MS)
      const [oldest] = address.failedAt
      if (oldest !== undefined && address.failedAt.length >= PER_ADDRESS) {
        address.waiting.shift()?.() // refused as well, and wakes the next
        throw tooMany(oldest + MINUTE_MS - now)
      }
      if (address.failedAt.length + address.inFlight < PER_ADDRESS) break
      if (address.waiting.length >= WAITING_AT_ADDRESS) throw tooMany(FIRST_WAIT_MS)
      await new Promise<void>((resolve) => address.waiting.push(resolve))
    }
    address.inFlight++
  }

  #failed(pair: Pair, all: Account, address: Address): void {
    const now = this.#now()
    pair.failures = now - pair.last < FORGET_MS ? pair.failures + 1 : 1
    pair.last = now
    const doublings = pair.failures - FREE_FAILURES
    pair.until = doublings < 0 ? now : now + Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** doublings)
    all.failedAt.push(now)
    address.failedAt.push(now)
  }

  #isSlowed({ failures, last }: Pair): boolean {
    return failures >= FREE_FAILURES && this.#now() - last < FORGET_MS
  }

  #forgetOld(): void {
    const now = this.#now()
    for (const [key, { last, inFlight, waiting }] of this.#pairs)
      if (inFlight + waiting.length === 0 && now - last > FORGET_MS) this.#pairs.delete(key)
    for (const [key, { failedAt, inFlight }] of this.#accounts)
      if (inFlight === 0 && failedAt.every((at) => now - at > FORGET_MS)) this.#accounts.delete(key)
    for (const [key, { failedAt, inFlight, waiting }] of this.#addresses)
      if (inFlight + waiting.length === 0 && failedAt.every((at) => now - at > MINUTE_MS)) this.#addresses.delete(key)
  }
}

const newPair = (): Pair => ({ failures: 0, last: 0, until: 0, inFlight: 0, waiting: [] })
const newAccount = (): Account => ({ failedAt: [], inFlight: 0 })
const newAddress = (): Address => ({ failedAt: [], inFlight: 0, waiting: [] })

function held<T>(map: Map<string, T>, key: string, make: () => T): T {
  const known = map.get(key)
  if (known) return known
  const made = make()
  map.set(key, made)
  return made
}

function tooMany(waitMs: number): AppError {
  return new AppError('too_many', 'Too many attempts. Please wait a moment and try again.', {
    retryAfterSeconds: Math.ceil(waitMs / 1000),
  })
}
