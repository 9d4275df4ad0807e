import type { Clock } from '../clock.ts'
import { AppError } from '../errors.ts'

const FREE_FAILURES = 5
const FIRST_WAIT_MS = 2_000
const LONGEST_WAIT_MS = 15 * 60_000
const FORGET_MS = 60 * 60_000
/** Failures from one address, over all accounts, within a minute. */
const PER_ADDRESS = 20

interface Failures {
  count: number
  last: number
  until: number
}

/**
 * Slows down guessing: after five failures for an account from an address each further one doubles the wait, and one
 * address may fail twenty times a minute over all accounts. Says nothing of whether the account exists.
 */
export class LoginThrottle {
  readonly #now: Clock
  readonly #byAccount = new Map<string, Failures>()
  readonly #byAddress = new Map<string, number[]>()

  constructor(now: Clock) {
    this.#now = now
  }

  check(account: string, ip: string): void {
    const now = this.#now()
    const failures = this.#byAccount.get(`${ip} ${account}`)
    if (failures && failures.until > now) throw tooMany(failures.until - now)
    const recent = (this.#byAddress.get(ip) ?? []).filter((at) => at > now - 60_000)
    const oldest = recent[0]
    if (recent.length >= PER_ADDRESS && oldest !== undefined) throw tooMany(oldest + 60_000 - now)
  }

  failed(account: string, ip: string): void {
    const now = this.#now()
    const key = `${ip} ${account}`
    const known = this.#byAccount.get(key)
    const count = known && now - known.last < FORGET_MS ? known.count + 1 : 1
    const wait = count < FREE_FAILURES ? 0 : Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (count - FREE_FAILURES))
    this.#byAccount.set(key, { count, last: now, until: now + wait })
    this.#byAddress.set(ip, [...(this.#byAddress.get(ip) ?? []).filter((at) => at > now - 60_000), now])
    if (this.#byAccount.size > 50_000) this.#forgetOld(now)
  }

  succeeded(account: string, ip: string): void {
    this.#byAccount.delete(`${ip} ${account}`)
  }

  #forgetOld(now: number): void {
    for (const [key, failures] of this.#byAccount) if (now - failures.last > FORGET_MS) this.#byAccount.delete(key)
    for (const [ip, times] of this.#byAddress) if (times.every((at) => at < now - 60_000)) this.#byAddress.delete(ip)
  }
}

function tooMany(waitMs: number): AppError {
  return new AppError('too_many', 'Too many attempts. Please wait a moment and try again.', {
    retryAfterSeconds: Math.ceil(waitMs / 1000),
  })
}
