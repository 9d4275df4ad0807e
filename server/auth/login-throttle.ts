import type { Clock } from '../clock.ts'
import { AppError } from '../errors.ts'

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
const KNOWN_DEVICES = 10

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
  knownDevices: string[]
}

/**
 * Slows down guessing: after five failures for an account from an address each further one doubles the wait; an account
 * takes a hundred failures an hour from wherever, after which only what has been signed in to it before is let try; an
 * address may fail twenty times a minute over all accounts. Says nothing of whether the account exists.
 */
export class LoginThrottle {
  readonly #now: Clock
  readonly #pairs = new Map<string, Pair>()
  readonly #accounts = new Map<string, Account>()
  readonly #addresses = new Map<string, number[]>()

  constructor(now: Clock) {
    this.#now = now
  }

  /**
   * Looks at a password, unless there were too many before it; those that are being looked at count as well. `device` is
   * what an account is known to be signed in to from: a phone by its id, a console by its address.
   */
  async guess<T extends { isRight: boolean }>(
    account: string,
    ip: string,
    look: () => Promise<T>,
    device: string = ip,
  ): Promise<T> {
    const pair = held(this.#pairs, `${ip} ${account}`, () => ({
      failures: 0,
      last: 0,
      until: 0,
      inFlight: 0,
      waiting: [],
    }))
    const all = held(this.#accounts, account, () => ({ failedAt: [], inFlight: 0, knownDevices: [] }))
    await this.#turn(pair)
    try {
      this.#admit(pair, all, ip, device)
      all.inFlight++
      const looked = await look().finally(() => all.inFlight--)
      if (looked.isRight) succeeded(pair, all, device)
      else this.#failed(pair, all, ip)
      return looked
    } finally {
      pair.inFlight--
      pair.waiting.shift()?.()
      if (this.#accounts.size + this.#pairs.size > 50_000) this.#forgetOld()
    }
  }

  async #turn(pair: Pair): Promise<void> {
    while (pair.inFlight >= (this.#isSlowed(pair) ? 1 : AT_ONCE)) {
      if (pair.waiting.length >= WAITING) throw tooMany(FIRST_WAIT_MS)
      await new Promise<void>((resolve) => pair.waiting.push(resolve))
    }
    pair.inFlight++
  }

  #admit(pair: Pair, all: Account, ip: string, device: string): void {
    const now = this.#now()
    if (pair.until > now) throw tooMany(pair.until - now)
    all.failedAt = all.failedAt.filter((at) => at > now - FORGET_MS)
    if (all.failedAt.length + all.inFlight >= PER_ACCOUNT && !all.knownDevices.includes(device))
      throw tooMany((all.failedAt[0] ?? now) + FORGET_MS - now)
    const recent = this.#failedFrom(ip)
    const [oldest] = recent
    if (recent.length >= PER_ADDRESS && oldest !== undefined) throw tooMany(oldest + 60_000 - now)
  }

  #failed(pair: Pair, all: Account, ip: string): void {
    const now = this.#now()
    pair.failures = now - pair.last < FORGET_MS ? pair.failures + 1 : 1
    pair.last = now
    const doublings = pair.failures - FREE_FAILURES
    pair.until = doublings < 0 ? now : now + Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** doublings)
    all.failedAt.push(now)
    this.#addresses.set(ip, [...this.#failedFrom(ip), now])
  }

  #isSlowed({ failures, last }: Pair): boolean {
    return failures >= FREE_FAILURES && this.#now() - last < FORGET_MS
  }

  #failedFrom(ip: string): number[] {
    const now = this.#now()
    return (this.#addresses.get(ip) ?? []).filter((at) => at > now - 60_000)
  }

  #forgetOld(): void {
    const now = this.#now()
    for (const [key, { last, inFlight, waiting }] of this.#pairs)
      if (inFlight + waiting.length === 0 && now - last > FORGET_MS) this.#pairs.delete(key)
    for (const [key, { failedAt, inFlight }] of this.#accounts)
      if (inFlight === 0 && failedAt.every((at) => now - at > FORGET_MS)) this.#accounts.delete(key)
    for (const ip of this.#addresses.keys()) if (this.#failedFrom(ip).length === 0) this.#addresses.delete(ip)
  }
}

function succeeded(pair: Pair, all: Account, device: string): void {
  pair.failures = 0
  all.knownDevices = [device, ...all.knownDevices.filter((known) => known !== device)].slice(0, KNOWN_DEVICES)
}

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
