import type { Bus, BusMessage } from '../lib/bus.ts'
import type { SharedRedis } from './shared-redis.ts'

/** Enough for the limits that a server which starts has to know: they look back an hour at most. */
const KEPT_MESSAGES = 50_000

export class RedisBus implements Bus {
  readonly #shared: SharedRedis
  readonly #key: string
  readonly #listeners = new Set<(message: BusMessage) => void>()

  constructor(shared: SharedRedis) {
    this.#shared = shared
    this.#key = shared.key('bus')
  }

  /** Call it when all have subscribed. */
  start(): void {
    this.#shared.reader.follow(this.#key, '0-0', (_id, [, from, , text = '']) => {
      if (from === this.#shared.node) return
      const message: BusMessage = JSON.parse(text)
      for (const listener of this.#listeners) listener(message)
    })
  }

  publish(message: BusMessage): void {
    const entry = ['from', this.#shared.node, 'message', JSON.stringify(message)]
    this.#shared.commands.xadd(this.#key, 'MAXLEN', '~', KEPT_MESSAGES, '*', ...entry).catch(() => {}) // Redis is away
  }

  subscribe(receive: (message: BusMessage) => void): void {
    this.#listeners.add(receive)
  }
}
