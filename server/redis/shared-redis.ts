import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { Redis } from 'ioredis'
import { sha256 } from '../lib/secrets.ts'
import { COMMAND_TIMEOUT_MS, connectRedis } from './connect.ts'
import { StreamReader } from './stream-reader.ts'

/** Of the form of what is kept. A release with another form leaves these keys alone. */
const FORM = 1

/** Longer than a server that is stopped and started again is away. */
const IDENTITY_MS = 60_000
const IDENTIFY_MS = 20_000
const IDENTITY_KEY = 'parley:identity'

/** The Redis that several servers share. */
export class SharedRedis {
  /** Names this server to the others. */
  readonly node = randomUUID()
  readonly commands: Redis
  readonly reader: StreamReader
  readonly #identity: string
  readonly #prefix: string
  readonly #timer: NodeJS.Timeout
  #isForeign = false

  /** `identity`: what all servers have in common that may share this Redis. */
  constructor(url: string, identity: string, onUnreadable: (error: unknown) => void) {
    this.#identity = identity
    this.#prefix = `{parley:${FORM}:${sha256(identity).slice(0, 12)}}`
    const name = `parley:${this.node}`
    this.commands = connectRedis(url, name)
    this.reader = new StreamReader(url, `${name}:streams`, this.commands, {
      wakeKey: this.key(`wake:${this.node}`),
      onUnreadable,
    })
    const identify = () => void this.#identify().catch(() => {}) // at the next connection
    this.commands.on('ready', identify)
    this.#timer = setInterval(identify, IDENTIFY_MS).unref()
  }

  /** All keys lie in one slot of a Cluster, since one read follows many of them. */
  key(name: string): string {
    return `${this.#prefix}:${name}`
  }

  get isConnected(): boolean {
    return this.commands.status === 'ready' && this.reader.isConnected && !this.#isForeign
  }

  /** Servers with another identity use this Redis. Nothing is shared with them. */
  get isForeign(): boolean {
    return this.#isForeign
  }

  /** Returns whether Redis answers. Does not wait long for one that is away. */
  async connect(): Promise<boolean> {
    const signal = AbortSignal.timeout(COMMAND_TIMEOUT_MS)
    try {
      if (this.commands.status !== 'ready') await once(this.commands, 'ready', { signal })
      await this.#identify()
      return true
    } catch {
      return false
    }
  }

  async #identify(): Promise<void> {
    await this.commands.set(IDENTITY_KEY, this.#identity, 'PX', IDENTITY_MS, 'NX')
    this.#isForeign = (await this.commands.get(IDENTITY_KEY)) !== this.#identity
    if (!this.#isForeign) await this.commands.pexpire(IDENTITY_KEY, IDENTITY_MS)
  }

  close(): void {
    clearInterval(this.#timer)
    this.reader.close()
    this.commands.disconnect()
  }
}
