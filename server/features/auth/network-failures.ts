import { MINUTE_MS } from '../../../shared/dates.ts'
import { addressGroup, networksAround } from '../../lib/address-group.ts'
import type { Bus } from '../../lib/bus.ts'
import type { Clock } from '../../lib/clock.ts'
import { KeyedSlots } from '../../lib/keyed-slots.ts'
import { SlidingWindow } from '../../lib/sliding-window.ts'
import { tooManyAttempts } from './too-many-attempts.ts'

/** An address, or a network around it. */
interface Network {
  /** The network's pseudonym. */
  network: string
  maxPerMinute: number
}

const OF_ADDRESS = { maxPerMinute: 20 }
/**
 * The limits by prefix length. A provider gives a site a /56 or a /48. 256 IPv4 addresses may belong to as many
 * households, or to one hall each, so they may fail as often as ten addresses.
 */
const AROUND_IT = {
  ipv4: [{ length: 24, maxPerMinute: 200 }],
  ipv6: [
    { length: 56, maxPerMinute: 100 },
    { length: 48, maxPerMinute: 400 },
  ],
}
/** Lets a whole office sign in at once. */
const MAX_WAITING = 500

/** Counts each network's wrong sign-ins of the last minute. A check in flight counts until it turns out to be right. */
export class NetworkFailures {
  readonly #slots = new KeyedSlots()
  readonly #failures: SlidingWindow
  readonly #bus: Pick<Bus, 'pseudonym'>

  constructor(now: Clock, bus: Pick<Bus, 'pseudonym'>) {
    this.#bus = bus
    this.#failures = new SlidingWindow(now, MINUTE_MS)
  }

  /** Returns the address itself, then the networks around it. */
  networksOf(ip: string): Network[] {
    const all = [{ network: addressGroup(ip), ...OF_ADDRESS }, ...networksAround(ip, AROUND_IT)]
    return all.map((one) => ({ ...one, network: this.#bus.pseudonym(one.network) }))
  }

  /**
   * Waits while the checks in flight would use up a network's limit if they all failed. Known devices and valid tokens
   * do not wait, because the failures of others on their network are not theirs.
   */
  async run<T>([first, ...around]: Network[], isKnown: () => Promise<boolean>, act: () => Promise<T>): Promise<T> {
    if (!first) return act()
    const next = () => this.run(around, isKnown, act)
    const { network } = first
    const isBusy = this.#isFull(first) || this.#slots.countRunning(network) >= this.#slotsLeft(first)
    if (isBusy && (await isKnown())) return next()
    const concurrency = this.#slotsLeft(first) // others may have failed while the device was looked up
    return this.#slots.run(network, { concurrency, maxWaiting: MAX_WAITING, full: tooManyAttempts }, async () => {
      if (this.#isFull(first)) throw tooManyAttempts(this.#failures.msUntilNext(network))
      return next()
    })
  }

  fail(networks: Network[], at: number): void {
    for (const one of networks) {
      this.#failures.add(one.network, at)
      this.#slots.setConcurrency(one.network, this.#slotsLeft(one))
    }
  }

  /** Counts failures at another server. */
  count(networks: string[], at: number): void {
    for (const network of networks) this.#failures.add(network, at)
  }

  #isFull({ network, maxPerMinute }: Network): boolean {
    return this.#failures.count(network) >= maxPerMinute
  }

  /** Returns at least one, so that waiting checks are refused in turn. */
  #slotsLeft({ network, maxPerMinute }: Network): number {
    return Math.max(1, maxPerMinute - this.#failures.count(network))
  }
}
