import type { Bus, BusMessage } from '../lib/bus.ts'
import type { Partition } from './partition.ts'

/** Enough for the limits that a server which starts has to know: they look back an hour at most. */
const KEPT_MESSAGES = 50_000

export class RedisBus implements Bus {
  readonly #partition: Partition
  readonly #key: string
  readonly #listeners = new Set<(message: BusMessage) => void>()

  constructor(partition: Partition) {
    this.#partition = partition
    this.#key = partition.key('bus')
  }

  /** Call it when all have subscribed. */
  start(): void {
    this.#partition.reader.follow(this.#key, '0-0', (_id, [, from, , text = '']) => {
      if (from === this.#partition.node) return
      const message: BusMessage = JSON.parse(text)
      for (const listener of this.#listeners) listener(message)
    })
  }

  publish(message: BusMessage): void {
    const entry = ['from', this.#partition.node, 'message', JSON.stringify(message)]
    this.#partition.commands.xadd(this.#key, 'MAXLEN', '~', KEPT_MESSAGES, '*', ...entry).catch(() => {}) // Redis is away
  }

  subscribe(receive: (message: BusMessage) => void): void {
    this.#listeners.add(receive)
  }
}
