import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { Redis } from 'ioredis'
import { COMMAND_TIMEOUT_MS, connectRedis } from './connect.ts'
import { StreamReader } from './stream-reader.ts'

/** Of the form of what is kept. A release with another form leaves these keys alone. */
const FORM = 1

/** The Redis that several servers share. */
export class SharedRedis {
  /** Names this server to the others. */
  readonly node = randomUUID()
  readonly commands: Redis
  readonly reader: StreamReader

  constructor(url: string) {
    const name = `parley:${this.node}`
    this.commands = connectRedis(url, name)
    this.reader = new StreamReader(url, `${name}:streams`, this.commands, this.key(`wake:${this.node}`))
  }

  /** All keys lie in one slot of a Cluster, since one read follows many of them. */
  key(name: string): string {
    return `{parley:${FORM}}:${name}`
  }

  get isConnected(): boolean {
    return this.commands.status === 'ready' && this.reader.isConnected
  }

  /** Does not wait long for a Redis that is away. */
  async connected(): Promise<void> {
    const signal = AbortSignal.timeout(COMMAND_TIMEOUT_MS)
    if (this.commands.status !== 'ready') await once(this.commands, 'ready', { signal }).catch(() => {})
  }

  close(): void {
    this.reader.close()
    this.commands.disconnect()
  }
}
