import { HOUR_MS } from '../../shared/dates.ts'
import { type Bus, BusMessage } from '../lib/bus.ts'
import type { Clock } from '../lib/clock.ts'
import type { Partition } from './partition.ts'
import { script } from './script.ts'

/** Enough for the limits that a starting server has to know: they look back an hour at most. */
const KEPT_MESSAGES = 50_000
const KEPT_MS = HOUR_MS

/** Keys: bus. Arguments: names and values of an entry. */
const addMessage = script(`
  redis.call('XADD', KEYS[1], 'MAXLEN', '~', ${KEPT_MESSAGES}, '*', unpack(ARGV))
  redis.call('XTRIM', KEYS[1], 'MINID', redis.call('TIME')[1] * 1000 - ${KEPT_MS})
  return redis.call('PEXPIRE', KEYS[1], ${KEPT_MS})
`)

/** Messages are signed, and each counts once: a replayed one, or one older than an hour, has no effect. */
export class RedisBus implements Bus {
  readonly #partition: Partition
  readonly #now: Clock
  readonly #key: string
  readonly #listeners = new Set<(message: BusMessage) => void>()
  /** Increases with each message: microseconds, as far as the clock allows. */
  #stamp = 0
  /** The stamp of each server's last message. */
  readonly #stamps = new Map<string, number>()

  constructor(partition: Partition, now: Clock) {
    this.#partition = partition
    this.#now = now
    this.#key = partition.key('bus')
  }

  /** Call after all listeners have subscribed. */
  start(): void {
    this.#partition.reader.follow(this.#key, '0-0', (_id, fields) => this.#receive(fields), { startsOver: true })
  }

  publish(message: BusMessage): void {
    const { node, commands } = this.#partition
    this.#stamp = Math.max(this.#stamp + 1, 1_000 * this.#now())
    const text = JSON.stringify(message)
    const signature = this.#partition.sign(this.#key, node, this.#stamp, text)
    const entry = ['from', node, 'message', text, 'stamp', this.#stamp, 'signature', signature]
    addMessage(commands, [this.#key], entry).catch(() => {}) // Redis is unreachable
  }

  subscribe(receive: (message: BusMessage) => void): void {
    this.#listeners.add(receive)
  }

  pseudonym(name: string): string {
    return this.#partition.pseudonym(name)
  }

  #receive([, from = '', , text = '', , stamp = '', , signature = '']: string[]): void {
    if (from === this.#partition.node) return
    if (!this.#partition.isSigned(signature, this.#key, from, stamp, text))
      throw new Error('A message on the bus is not signed by a server of this installation')
    if (!this.#isNew(from, Number(stamp))) throw new Error('A message on the bus has come before, or too late')
    const message = BusMessage.parse(JSON.parse(text))
    for (const listener of this.#listeners) listener(message)
  }

  #isNew(from: string, stamp: number): boolean {
    const oldest = 1_000 * (this.#now() - KEPT_MS)
    const last = this.#stamps.get(from)
    if (!(stamp > Math.max(last ?? 0, oldest))) return false
    if (last === undefined) for (const [server, its] of this.#stamps) if (its < oldest) this.#stamps.delete(server)
    this.#stamps.set(from, stamp)
    return true
  }
}
