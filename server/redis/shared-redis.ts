import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type Secrets, sha256 } from '../lib/secrets.ts'
import { CLUSTER_SLOTS, partitionOf } from './cluster-slots.ts'
import { COMMAND_TIMEOUT_MS, type Target } from './connect.ts'
import { masterConnectionOptions } from './master-connector.ts'
import { MasterLocator } from './master-locator.ts'
import { Partition } from './partition.ts'
import { parseRedisUrl } from './redis-url.ts'

/** The version of the stored format. A release with another version leaves these keys alone. */
const FORMAT = 1

/** Longer than a restart of a server takes. */
const IDENTITY_MS = 60_000
const IDENTIFY_MS = 20_000

interface Options {
  url: string
  /** Common to all servers that may share this Redis. */
  identity: string
  secrets: Pick<Secrets, 'sign' | 'verify'>
  onUnreadable: (error: unknown) => void
}

/** The Redis that several servers share: one server, the master behind Sentinels, or a Cluster. */
export class SharedRedis {
  /** Identifies this server to the others. */
  readonly node = randomUUID()
  /** A single partition, or one per slot of a Cluster. The first has everything that belongs to no room. */
  readonly partitions: readonly [Partition, ...Partition[]]
  readonly #masters: MasterLocator | null
  readonly #identity: string
  readonly #identityKey: string
  readonly #timer: NodeJS.Timeout
  #isForeign = false

  constructor({ url, identity, secrets, onUnreadable }: Options) {
    const address = parseRedisUrl(url)
    if (address === null) throw new Error('REDIS_URL is not a Redis address')
    const isCluster = typeof address !== 'string' && address.kind === 'cluster'
    const masters = typeof address === 'string' ? null : new MasterLocator(address)
    const form = `${FORMAT}:${sha256(identity).slice(0, 12)}`
    const open = (slot: number, prefix: string) => {
      const target: Target = masters ? masterConnectionOptions(masters, slot) : url
      return new Partition({ target, prefix, node: this.node, secrets, onUnreadable })
    }
    const [first, ...others] = CLUSTER_SLOTS
    const openSlot = ({ tag, slot }: typeof first) => open(slot, `{${tag}}:${form}`)
    this.partitions = isCluster ? [openSlot(first), ...others.map(openSlot)] : [open(0, `{parley:${form}}`)]
    this.#masters = masters
    this.#identity = identity
    this.#identityKey = isCluster ? `{${first.tag}}:identity` : 'parley:identity'
    const identify = () => void this.#identify().catch(() => {}) // the next connection tries again
    this.#first.commands.on('ready', identify)
    this.#timer = setInterval(identify, IDENTIFY_MS).unref()
  }

  get #first(): Partition {
    return this.partitions[0]
  }

  partitionOf(hostId: string): Partition {
    return this.partitions[partitionOf(hostId, this.partitions.length)] ?? this.#first
  }

  /** True while servers with another identity use this Redis. Nothing is shared with them. */
  get isForeign(): boolean {
    return this.#isForeign
  }

  /** Returns true if all of Redis answers. Does not wait long for a server that is unreachable. */
  async connect(): Promise<boolean> {
    const signal = AbortSignal.timeout(COMMAND_TIMEOUT_MS)
    const isReady = async ({ commands }: Partition) => {
      if (commands.status !== 'ready') await once(commands, 'ready', { signal })
    }
    const ready = await Promise.allSettled(this.partitions.map(isReady))
    try {
      await this.#identify()
      return ready.every(({ status }) => status === 'fulfilled')
    } catch {
      return false
    }
  }

  /** Returns false if a part of Redis does not answer, or not within a second. */
  async isUp(): Promise<boolean> {
    const answers = await Promise.allSettled(this.partitions.map(({ commands }) => commands.ping()))
    return answers.every(({ status }) => status === 'fulfilled')
  }

  async #identify(): Promise<void> {
    const { commands } = this.#first
    await commands.set(this.#identityKey, this.#identity, 'PX', IDENTITY_MS, 'NX')
    this.#isForeign = (await commands.get(this.#identityKey)) !== this.#identity
    if (!this.#isForeign) await commands.pexpire(this.#identityKey, IDENTITY_MS)
  }

  /** Lets servers with another identity use this Redis, without waiting for the present one to expire. */
  async forgetIdentity(): Promise<void> {
    if (!this.#isForeign) await this.#first.commands.del(this.#identityKey)
  }

  close(): void {
    clearInterval(this.#timer)
    for (const partition of this.partitions) partition.close()
    this.#masters?.close()
  }
}
