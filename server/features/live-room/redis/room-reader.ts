import { once } from 'node:events'
import type { Redis } from 'ioredis'

export interface LogEntry {
  id: string
  /** Counts the room's changes in its epoch. */
  number: number
  /** Names the change at the server that appended it. */
  own: string
  change: string
}

interface Followed {
  position: string
  receive: (entry: LogEntry) => void
}

export const BLOCK_MS = 1_000
const COUNT = 1_000

/** One blocked read for all the logs that this server follows, on a connection of its own. */
export class RoomReader {
  readonly #connection: Redis
  readonly #commands: Redis
  /** A stream that wakes the reader, to read a log that it did not know of. */
  readonly #wakeKey: string
  readonly #onFault: (error: unknown) => void
  readonly #followed = new Map<string, Followed>()
  readonly #closing = new AbortController()
  #wakePosition = '0-0'

  /** `onFault`: a read has failed; changes may be missed until it succeeds again. */
  constructor(connection: Redis, commands: Redis, wakeKey: string, onFault: (error: unknown) => void) {
    this.#connection = connection
    this.#commands = commands
    this.#wakeKey = wakeKey
    this.#onFault = onFault
    void this.#run()
  }

  get isConnected(): boolean {
    return this.#connection.status === 'ready'
  }

  follow(key: string, position: string, receive: Followed['receive']): void {
    this.#followed.set(key, { position, receive })
    this.#commands.xadd(this.#wakeKey, 'MAXLEN', 1, '*', 'wake', '').catch(() => {}) // appending fails too
  }

  unfollow(key: string): void {
    this.#followed.delete(key)
  }

  close(): void {
    this.#closing.abort()
    this.#connection.disconnect()
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      try {
        if (!this.isConnected) await once(this.#connection, 'ready', { signal })
        await this.#read()
      } catch (error) {
        if (!signal.aborted) this.#onFault(error)
      }
    }
  }

  async #read(): Promise<void> {
    const keys = [this.#wakeKey, ...this.#followed.keys()]
    const positions = [this.#wakePosition, ...[...this.#followed.values()].map(({ position }) => position)]
    const read = await this.#connection.xread('COUNT', COUNT, 'BLOCK', BLOCK_MS, 'STREAMS', ...keys, ...positions)
    for (const [key, entries] of read ?? []) {
      if (key === this.#wakeKey) this.#wakePosition = entries.at(-1)?.[0] ?? this.#wakePosition
      else for (const [id, fields] of entries) this.#receive(key, id, fields)
    }
  }

  #receive(key: string, id: string, fields: string[]): void {
    const followed = this.#followed.get(key)
    if (!followed) return
    followed.position = id
    const [, number, , own = '', , change = ''] = fields
    followed.receive({ id, number: Number(number), own, change })
  }
}
