import type { LRUCache } from 'lru-cache'
import { backoff } from '../../../shared/backoff.ts'
import { HOUR_MS, MINUTE_MS } from '../../../shared/dates.ts'
import type { Deps } from '../../deps.ts'
import { addressGroup } from '../../lib/address-group.ts'
import { boundedCache } from '../../lib/bounded-cache.ts'
import type { Bus } from '../../lib/bus.ts'
import type { Clock } from '../../lib/clock.ts'
import { KeyedSlots } from '../../lib/keyed-slots.ts'
import { SlidingWindow } from '../../lib/sliding-window.ts'
import { TokenBuckets } from '../../lib/token-bucket.ts'
import type { AnonymousQueryQueue } from './anonymous-query-queue.ts'
import { KnownDevices } from './known-devices.ts'
import { NetworkFailures } from './network-failures.ts'
import type { QueuePlace } from './passwords.ts'
import { TOO_MANY_ATTEMPTS, tooManyAttempts } from './too-many-attempts.ts'

/** An address may fail this often for one account before it has to wait. */
const FREE_FAILURES = 5
const WAIT_MS = { first: 2_000, longest: 15 * MINUTE_MS }
const MAX_WAITING = 50

const MAX_ACCOUNT_FAILURES_PER_HOUR = 100

/** The limit of right passwords per account, on the devices that it has signed in from, and again on others. */
const RIGHT_PASSWORDS = { name: 'right passwords', burst: 20, perSecond: 6 / 60, message: TOO_MANY_ATTEMPTS }

/** The failures of one account from one address, in one session, or on one known phone. */
interface Guesser {
  failures: number
  failedAt: number
  blockedUntil: number
}

interface CheckedSignIn {
  /** Null for a link, because nobody can guess its long token. */
  account: string | null
  address: string
  /** The session in which the owner showed the password again, or the owner's known phone. */
  place?: string | undefined
  isRight: boolean
  at: number
}

type Networks = ReturnType<NetworkFailures['networksOf']>

/** Implements docs/decisions/0008. A check in flight counts as a failure until it turns out to be none. */
export class LoginThrottle {
  readonly #now: Clock
  readonly #bus: Bus
  readonly #strangers: AnonymousQueryQueue
  readonly #devices: KnownDevices
  readonly #guessers: LRUCache<string, Guesser>
  readonly #guesserSlots = new KeyedSlots()
  readonly #networks: NetworkFailures
  readonly #accountFailures: SlidingWindow
  readonly #accountChecks = new Map<string, number>()
  readonly #rightPasswords: TokenBuckets

  constructor(deps: Pick<Deps, 'db' | 'secrets' | 'now' | 'bus' | 'strangers'>) {
    this.#now = deps.now
    this.#strangers = deps.strangers
    this.#devices = new KnownDevices(deps)
    this.#guessers = boundedCache(deps.now, HOUR_MS)
    this.#networks = new NetworkFailures(deps.now, deps.bus)
    this.#accountFailures = new SlidingWindow(deps.now, HOUR_MS)
    this.#rightPasswords = new TokenBuckets(deps, RIGHT_PASSWORDS)
    this.#bus = deps.bus
    deps.bus.subscribe((message) => {
      if (message.type !== 'sign-in-checked') return
      if (!message.isRight) this.#networks.count([message.address, ...message.networks], message.at)
      this.#count(message)
    })
  }

  /**
   * Runs `check` when its turn has come, or throws `too_many`. The account need not exist. `device` identifies a device
   * that may be known: a phone's id or secret, a console's address.
   */
  async guess<T extends { isRight: boolean }>(
    typed: string,
    ip: string,
    check: (turn: QueuePlace) => Promise<T>,
    device = addressGroup(ip),
  ): Promise<T> {
    const account = this.#bus.pseudonym(typed)
    const networks = this.#networks.networksOf(ip)
    const widestFirst = networks.map(({ network }) => network).toReversed()
    const guesser = guesserKey(account, networks[0]?.network ?? '')
    let known: Promise<boolean> | undefined
    const isKnownDevice = () => (known ??= this.#devices.has(typed, device, ip))
    const isAddress = device === addressGroup(ip) // which whoever guesses there shares with the owner
    // Looked up again when the turn has come: one of those that wait may make the device known.
    if (!isAddress && this.#isHeldUp(guesser) && (await this.#devices.has(typed, device, ip)))
      return this.#guessAt(`device ${device}`, { account, networks, widestFirst }, check)
    return this.#ofGuesser(guesser, networks, isKnownDevice, () =>
      this.#ofAccount(account, isKnownDevice, (isKnown) =>
        this.#limitRightOnes(isKnown ? `known ${account}` : account, (begin) => {
          const turn = { isKnownDevice: isKnown, networks: widestFirst, begin }
          return this.#check({ account, networks }, () => check(turn))
        }),
      ),
    )
  }

  /**
   * Does the same for a password that an owner who is signed in shows again. Only wrong ones of this session hold it up,
   * not those that others type at the sign-in; they count for the account, its address and the networks too.
   */
  async guessInSession<T extends { isRight: boolean }>(
    typed: string,
    { ip, session_id }: { ip: string; session_id: string },
    check: (turn: QueuePlace) => Promise<T>,
  ): Promise<T> {
    const account = this.#bus.pseudonym(typed)
    const networks = this.#networks.networksOf(ip)
    const widestFirst = networks.map(({ network }) => network).toReversed()
    return this.#guessAt(`session ${session_id}`, { account, networks, widestFirst }, check)
  }

  /** Checks a password that is shown where the owner has been before. Only its own failures hold the place up. */
  #guessAt<T extends { isRight: boolean }>(
    name: string,
    { account, networks, widestFirst }: { account: string; networks: Networks; widestFirst: string[] },
    check: (turn: QueuePlace) => Promise<T>,
  ): Promise<T> {
    const place = this.#bus.pseudonym(name)
    const isKnown = () => Promise.resolve(true)
    return this.#ofGuesser(guesserKey(account, place), networks, isKnown, () =>
      this.#limitRightOnes(`known ${account}`, (begin) => {
        const turn = { isKnownDevice: true, networks: widestFirst, begin }
        return this.#check({ account, place, networks }, () => check(turn))
      }),
    )
  }

  /**
   * Does the same for a token that nobody can guess. A wrong one counts only for its networks, so that it fills no
   * cache, and a right one is always admitted.
   */
  async guessToken<T extends { isRight: boolean }>(ip: string, find: () => Promise<T>): Promise<T> {
    const networks = this.#networks.networksOf(ip)
    let found: Promise<T> | undefined
    const check = () => (found ??= this.#strangers.run(ip, find))
    const isRight = async () => (await check()).isRight
    return this.#networks.run(networks, isRight, () => this.#check({ account: null, networks }, check))
  }

  /**
   * Does the same for a second factor, after the right password. A wrong one counts for its networks; the limits of the
   * account are those of its challenges.
   */
  async guessSecondFactor<T extends { isRight: boolean }>(
    typed: string,
    ip: string,
    check: (turn: QueuePlace) => Promise<T>,
  ): Promise<T> {
    const networks = this.#networks.networksOf(ip)
    let known: Promise<boolean> | undefined
    const isKnownDevice = () => (known ??= this.#devices.has(typed, addressGroup(ip), ip))
    return this.#networks.run(networks, isKnownDevice, async () => {
      const turn = {
        isKnownDevice: await isKnownDevice(),
        networks: networks.map(({ network }) => network).toReversed(),
      }
      return this.#check({ account: null, networks }, () => check(turn))
    })
  }

  /** Does the same for a passkey that an owner who is signed in shows: nobody can guess it, so that nothing holds it up. */
  async showPasskey<T extends { isRight: boolean }>(ip: string, check: () => Promise<T>): Promise<T> {
    return this.#check({ account: null, networks: this.#networks.networksOf(ip) }, check)
  }

  /** Tells if a check would be refused, or would wait for others that may be refused. */
  #isHeldUp(guesser: string): boolean {
    const { blockedUntil = 0 } = this.#guessers.get(guesser) ?? {}
    return blockedUntil > this.#now() || this.#guesserSlots.countRunning(guesser) >= this.#checksLeft(guesser)
  }

  /** Runs a check when those of the same guesser before it have ended, unless too many of them were wrong. */
  #ofGuesser<T>(
    guesser: string,
    networks: Networks,
    isKnown: () => Promise<boolean>,
    run: () => Promise<T>,
  ): Promise<T> {
    const slots = { concurrency: this.#checksLeft(guesser), maxWaiting: MAX_WAITING, full: tooManyAttempts }
    return this.#guesserSlots.run(guesser, slots, () =>
      this.#networks.run(networks, isKnown, async () => {
        const { blockedUntil = 0 } = this.#guessers.get(guesser) ?? {}
        if (blockedUntil > this.#now()) throw tooManyAttempts(blockedUntil - this.#now())
        return run()
      }),
    )
  }

  async #check<T extends { isRight: boolean }>(
    { account, place, networks }: Pick<CheckedSignIn, 'account' | 'place'> & { networks: Networks },
    check: () => Promise<T>,
  ): Promise<T> {
    const checked = await check()
    const [address = '', ...around] = networks.map(({ network }) => network)
    const checkedSignIn = { account, address, place, isRight: checked.isRight, at: this.#now() }
    if (!checked.isRight) this.#networks.fail(networks, checkedSignIn.at)
    this.#count(checkedSignIn)
    // Networks alone look back a minute.
    this.#bus.publish({ type: 'sign-in-checked', ...checkedSignIn, networks: around, lasts: account !== null })
    return checked
  }

  /** Marks the device as known for the account. The default is a console's address. */
  remember(account: string, ip: string, device = addressGroup(ip)): Promise<void> {
    return this.#devices.remember(account, device)
  }

  async #ofAccount<T>(
    account: string,
    isKnownDevice: () => Promise<boolean>,
    run: (isKnownDevice: boolean) => Promise<T>,
  ): Promise<T> {
    const inFlight = this.#accountChecks.get(account) ?? 0
    const isAttacked = this.#accountFailures.count(account) + inFlight >= MAX_ACCOUNT_FAILURES_PER_HOUR
    this.#accountChecks.set(account, inFlight + 1)
    try {
      const isKnown = await isKnownDevice()
      if (isAttacked && !isKnown) throw tooManyAttempts(this.#accountFailures.msUntilNext(account))
      return await run(isKnown)
    } finally {
      const left = (this.#accountChecks.get(account) ?? 1) - 1
      if (left > 0) this.#accountChecks.set(account, left)
      else this.#accountChecks.delete(account)
    }
  }

  /** Throws before the check if no token is left, and again when the check has waited for its turn. */
  async #limitRightOnes<T extends { isRight: boolean }>(
    key: string,
    run: (begin: () => void) => Promise<T>,
  ): Promise<T> {
    const begin = () => void this.#rightPasswords.require(key)
    begin()
    const checked = await run(begin)
    if (checked.isRight) this.#rightPasswords.take(key)
    return checked
  }

  /** Counts a sign-in at this or another server. */
  #count({ account, address, place, isRight, at }: CheckedSignIn): void {
    if (account === null) return
    if (!isRight) this.#accountFailures.add(account, at)
    // The owner's right password in a session says nothing of who types others at the same address.
    const places = isRight ? [place ?? address] : [address, ...(place === undefined ? [] : [place])]
    for (const one of places) {
      const guesser = guesserKey(account, one)
      if (isRight) this.#guessers.delete(guesser)
      else this.#fail(guesser, at)
      this.#guesserSlots.setConcurrency(guesser, this.#checksLeft(guesser))
    }
  }

  #fail(guesser: string, at: number): void {
    const last = this.#guessers.get(guesser)
    const failures = last && at - last.failedAt < HOUR_MS ? last.failures + 1 : 1
    const waitMs = failures < FREE_FAILURES ? 0 : backoff(failures - FREE_FAILURES + 1, WAIT_MS)
    this.#guessers.set(guesser, { failures, failedAt: at, blockedUntil: at + waitMs })
  }

  /** Returns the failures left without a wait, and at least one, so that waiting checks are refused in turn. */
  #checksLeft(guesser: string): number {
    return Math.max(1, FREE_FAILURES - (this.#guessers.get(guesser)?.failures ?? 0))
  }
}

/** `place` is an address, a session or a known phone. */
const guesserKey = (account: string, place: string) => `${place} ${account}`
