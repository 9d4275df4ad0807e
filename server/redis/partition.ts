import type { Redis } from 'ioredis'
import { connectRedis, type Target } from './connect.ts'
import { StreamReader } from './stream-reader.ts'

interface Options {
  target: Target
  /** Of all its keys, with their hash tag. */
  prefix: string
  /** Of this server. */
  node: string
  onUnreadable: (error: unknown) => void
}

/** What servers share at one Redis server: everything, or one slot of a Cluster. */
export class Partition {
  /** Names this server to the others. */
  readonly node: string
  readonly commands: Redis
  readonly reader: StreamReader
  readonly #prefix: string

  constructor({ target, prefix, node, onUnreadable }: Options) {
    this.node = node
    this.#prefix = prefix
    this.commands = connectRedis(target, `parley:${node}`)
    this.reader = new StreamReader(target, `parley:${node}:streams`, this.commands, {
      wakeKey: this.key(`wake:${node}`),
      onUnreadable,
    })
  }

  key(name: string): string {
    return `${this.#prefix}:${name}`
  }

  get isConnected(): boolean {
    return this.commands.status === 'ready' && this.reader.isConnected
  }

  close(): void {
    this.reader.close()
    this.commands.disconnect()
  }
}
