import type { Redis } from 'ioredis'
import type { Secrets } from '../lib/secrets.ts'
import { connectRedis, type Target } from './connect.ts'
import { StreamReader } from './stream-reader.ts'

interface Options {
  target: Target
  /** The prefix of all its keys, with their hash tag. */
  prefix: string
  node: string
  secrets: Pick<Secrets, 'sign' | 'verify'>
  /** Receives the errors of entries that no server of this installation wrote there. Such entries have no effect. */
  onUnreadable: (error: unknown) => void
}

/** The servers' shared data at one Redis server: everything, or one slot of a Cluster. */
export class Partition {
  /** Identifies this server to the others. */
  readonly node: string
  readonly commands: Redis
  readonly reader: StreamReader
  readonly onUnreadable: Options['onUnreadable']
  readonly #prefix: string
  readonly #secrets: Options['secrets']

  constructor({ target, prefix, node, secrets, onUnreadable }: Options) {
    this.node = node
    this.onUnreadable = onUnreadable
    this.#prefix = prefix
    this.#secrets = secrets
    this.commands = connectRedis(target, `parley:${node}`)
    this.reader = new StreamReader(target, `parley:${node}:streams`, this.commands, {
      wakeKey: this.key(`wake:${node}`),
      onUnreadable,
    })
  }

  key(name: string): string {
    return `${this.#prefix}:${name}`
  }

  /** Signs the value of a key, so that it is valid at no other key. Only the last part may hold line breaks. */
  sign(key: string, ...parts: (string | number)[]): string {
    return this.#secrets.sign('redis-entries', [key, ...parts].join('\n'))
  }

  isSigned(signature: string, key: string, ...parts: (string | number)[]): boolean {
    return this.#secrets.verify('redis-entries', [key, ...parts].join('\n'), signature)
  }

  pseudonym(name: string): string {
    return this.#secrets.sign('redis-names', name)
  }

  get isConnected(): boolean {
    return this.commands.status === 'ready' && this.reader.isConnected
  }

  close(): void {
    this.reader.close()
    this.commands.disconnect()
  }
}
