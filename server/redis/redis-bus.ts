import { setTimeout as delay } from 'node:timers/promises'
import { HOUR_MS } from '../../shared/dates.ts'
import { type Bus, BusMessage } from '../lib/bus.ts'
import type { Clock } from '../lib/clock.ts'
import type { Partition } from './partition.ts'
import { script } from './script.ts'

/**
 * The length of each stream, enough for the limits that a starting server has to know: they look back an hour at most.
 */
const KEPT_MESSAGES = 50_000
const KEPT_MS = HOUR_MS
/** The longest that a starting server waits for earlier messages of the others. */
const LONGEST_READING_MS = 5_000

/** Keys: a stream. Arguments: names and values of an entry. */
const addMessage = script(`
  redis.call('XADD', KEYS[1], 'MAXLEN', '~', ${KEPT_MESSAGES}, '*', unpack(ARGV))
  redis.call('XTRIM', KEYS[1], 'MINID', redis.call('TIME')[1] * 1000 - ${KEPT_MS})
  return redis.call('PEXPIRE', KEYS[1], ${KEPT_MS})
`)

/**
 * Messages are signed, and each counts once: a replayed one, or one older than an hour, has no effect. Lasting messages
 * have a stream of their own, so that any number of cheap calls cannot push them out.
 */
export class RedisBus implements Bus {
  readonly #partition: Partition
  readonly #now: Clock
  readonly #all: string
  readonly #lasting: string
  readonly #listeners = new Set<(message: BusMessage) => void>()
  /** Increases with each message: microseconds, as far as the clock allows. */
  #stamp = 0
  /** The stamp of each server's last message in each stream. */
  readonly #stamps = new Map<string, number>()

  constructor(partition: Partition, now: Clock) {
    this.#partition = partition
    this.#now = now
    this.#all = partition.key('bus')
    this.#lasting = partition.key('bus-lasting')
  }

  /** Call after all listeners have subscribed. Resolves when they have received what is kept, or after five seconds. */
  async start(): Promise<void> {
    const isLate = delay(LONGEST_READING_MS, undefined, { ref: false })
    for (const key of [this.#lasting, this.#all]) await Promise.race([this.#follow(key), isLate])
  }

  publish(message: BusMessage): void {
    this.#stamp = Math.max(this.#stamp + 1, 1_000 * this.#now())
    const text = JSON.stringify(message)
    this.#add(isLasting(message) ? this.#lasting : this.#all, text)
  }

  #add(key: string, text: string): void {
    const { node, commands } = this.#partition
    const signature = this.#partition.sign(key, node, this.#stamp, text)
    const entry = ['from', node, 'message', text, 'stamp', this.#stamp, 'signature', signature]
    addMessage(commands, [key], entry).catch(() => {}) // Redis is unreachable
  }

  /** Resolves when what the stream has now was received. */
  async #follow(key: string): Promise<void> {
    const { commands, reader } = this.#partition
    const [newest] = await commands.xrevrange(key, '+', '-', 'COUNT', 1).catch(() => []) // Redis is unreachable
    const isRead = Promise.withResolvers<void>()
    const receive = (id: string, fields: string[]) => {
      if (id === newest?.[0]) isRead.resolve()
      this.#receive(key, fields)
    }
    reader.follow(key, '0-0', receive, { startsOver: true })
    if (newest) await isRead.promise
  }

  subscribe(receive: (message: BusMessage) => void): void {
    this.#listeners.add(receive)
  }

  pseudonym(name: string): string {
    return this.#partition.pseudonym(name)
  }

  #receive(key: string, [, from = '', , text = '', , stamp = '', , signature = '']: string[]): void {
    if (from === this.#partition.node) return
    if (!this.#partition.isSigned(signature, key, from, stamp, text))
      throw new Error('A message on the bus is not signed by a server of this installation')
    if (!this.#isNew(`${key} ${from}`, Number(stamp)))
      throw new Error('A message on the bus was repeated, or arrived too late')
    const message = BusMessage.parse(JSON.parse(text))
    for (const listener of this.#listeners) listener(message)
  }

  #isNew(sender: string, stamp: number): boolean {
    const oldest = 1_000 * (this.#now() - KEPT_MS)
    const last = this.#stamps.get(sender)
    if (!(stamp > Math.max(last ?? 0, oldest))) return false
    if (last === undefined) for (const [other, its] of this.#stamps) if (its < oldest) this.#stamps.delete(other)
    this.#stamps.set(sender, stamp)
    return true
  }
}

const isLasting = (message: BusMessage) => 'lasts' in message && message.lasts === true
