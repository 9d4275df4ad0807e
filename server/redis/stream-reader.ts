import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { connectBlocking, type Target } from './connect.ts'

/** `fields` alternates names and values, as they were added. */
type Receive = (id: string, fields: string[]) => void

interface Followed {
  position: string
  receive: Receive
  startsOver: boolean
}

interface Follow {
  /** Restarts when the newest entry is before the position: the stream was deleted, and Redis' clock set back. */
  startsOver?: boolean
}

const BLOCK_MS = 1_000
const COUNT = 1_000
const RETRY_MS = 100
const WAKE_KEPT_MS = 3_600_000
/** The position before the first entry. */
const START = '0-0'
const START_CHECK_MS = 1_000

/** Follows all streams that this server needs of a partition, by one blocked read on a connection of its own. */
export class StreamReader {
  readonly #connection: Redis
  readonly #commands: Redis
  /** A stream that wakes the blocked read, so that it includes a newly followed stream. */
  readonly #wakeKey: string
  readonly #onUnreadable: (error: unknown) => void
  readonly #onFault = new Set<(error: unknown) => void>()
  readonly #followed = new Map<string, Followed>()
  readonly #closing = new AbortController()
  #wakePosition = START
  #startsCheckedAt = 0

  /** `onUnreadable` receives the error of an entry that could not be processed; the others are. */
  constructor(
    target: Target,
    name: string,
    commands: Redis,
    { wakeKey, onUnreadable }: { wakeKey: string; onUnreadable: (error: unknown) => void },
  ) {
    this.#onUnreadable = onUnreadable
    this.#connection = connectBlocking(target, name, BLOCK_MS)
    this.#commands = commands
    this.#wakeKey = wakeKey
    void this.#run()
  }

  get isConnected(): boolean {
    return this.#connection.status === 'ready'
  }

  /** Calls the listener when a read has failed; the next one waits for the connection. */
  onFault(listener: (error: unknown) => void): void {
    this.#onFault.add(listener)
  }

  /** Reads entries after `position`, and resumes there after a fault. */
  follow(key: string, position: string, receive: Receive, { startsOver = false }: Follow = {}): void {
    this.#followed.set(key, { position, receive, startsOver })
    this.#wake().catch(() => {}) // the next read includes it
  }

  unfollow(key: string): void {
    this.#followed.delete(key)
  }

  close(): void {
    this.#closing.abort()
    this.#connection.disconnect()
  }

  async #wake(): Promise<void> {
    await this.#commands.xadd(this.#wakeKey, 'MAXLEN', 1, '*', 'wake', '')
    await this.#commands.pexpire(this.#wakeKey, WAKE_KEPT_MS)
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      try {
        if (!this.isConnected) await once(this.#connection, 'ready', { signal })
        await this.#read()
        await this.#startOver()
      } catch (error) {
        if (signal.aborted) return
        for (const listener of this.#onFault) listener(error)
        await delay(RETRY_MS)
      }
    }
  }

  async #read(): Promise<void> {
    const keys = [this.#wakeKey, ...this.#followed.keys()]
    const positions = [this.#wakePosition, ...[...this.#followed.values()].map(({ position }) => position)]
    const read = await this.#connection.xread('COUNT', COUNT, 'BLOCK', BLOCK_MS, 'STREAMS', ...keys, ...positions)
    // Process room streams before the bus, so that a room's events precede messages about them.
    for (const [key, entries] of (read ?? []).toReversed()) {
      if (key === this.#wakeKey) this.#wakePosition = entries.at(-1)?.[0] ?? this.#wakePosition
      else for (const [id, fields] of entries) this.#receive(key, id, fields)
    }
  }

  async #startOver(): Promise<void> {
    if (performance.now() - this.#startsCheckedAt < START_CHECK_MS) return
    this.#startsCheckedAt = performance.now()
    for (const [key, followed] of this.#followed) {
      if (!followed.startsOver) continue
      const [newest] = await this.#connection.xrevrange(key, '+', '-', 'COUNT', 1)
      if (isBefore(newest?.[0] ?? START, followed.position)) followed.position = START
    }
  }

  #receive(key: string, id: string, fields: string[]): void {
    const followed = this.#followed.get(key)
    if (!followed) return
    followed.position = id
    try {
      followed.receive(id, fields)
    } catch (error) {
      this.#onUnreadable(error)
    }
  }
}

/** Compares two ids of Redis, each milliseconds and a number. */
function isBefore(one: string, other: string): boolean {
  const [ms, number] = partsOf(one)
  const [otherMs, otherNumber] = partsOf(other)
  return ms === otherMs ? number < otherNumber : ms < otherMs
}

function partsOf(id: string): [bigint, bigint] {
  const [ms = '0', number = '0'] = id.split('-')
  return [BigInt(ms), BigInt(number)]
}
