import { Redis } from 'ioredis'
import { z } from 'zod'
import type { Address, MasterDiscovery } from './redis-url.ts'

/** A replaced master that does not know it yet is left within about this time. */
const WATCH_MS = 1_000
const LONGEST_ANSWER_MS = 1_000

interface Range {
  from: number
  to: number
  master: Address
}

const SentinelAnswer = z.tuple([z.string(), z.coerce.number()])

/** Each range lists its master, then its replicas. A node without a name has the host of the connection. */
const ClusterNode = z.tuple([z.string().nullable(), z.number()]).rest(z.unknown())
const ClusterSlots = z.array(z.tuple([z.number(), z.number(), ClusterNode]).rest(ClusterNode))

/** Finds the current master of a slot by querying Sentinels or the nodes of a Cluster. */
export class MasterLocator {
  readonly guides: MasterDiscovery
  readonly #onRefresh = new Set<() => void>()
  readonly #timer: NodeJS.Timeout
  /** Nodes to query, beginning with the one that answered last. */
  #nodes: Address[]
  #client: Redis | null = null
  #ranges: Range[] = []
  #asking: Promise<void> | null = null

  constructor(guides: MasterDiscovery) {
    this.guides = guides
    this.#nodes = guides.nodes
    this.#timer = setInterval(() => this.#refresh().catch(() => {}), WATCH_MS).unref()
  }

  /** Queries now. */
  async find(slot: number): Promise<Address> {
    await this.#refresh()
    const master = this.known(slot)
    if (!master) throw new Error('A shard of the Redis Cluster has no master')
    return master
  }

  /** Returns the last known master. */
  known(slot: number): Address | undefined {
    return this.#ranges.find(({ from, to }) => from <= slot && slot <= to)?.master
  }

  onRefresh(listener: () => void): () => void {
    this.#onRefresh.add(listener)
    return () => void this.#onRefresh.delete(listener)
  }

  close(): void {
    clearInterval(this.#timer)
    this.#client?.disconnect()
  }

  #refresh(): Promise<void> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = null
    })
    return this.#asking
  }

  async #ask(): Promise<void> {
    let failure: unknown
    for (const node of [...this.#nodes]) {
      this.#client ??= this.#connect(node)
      try {
        await (this.guides.kind === 'sentinel'
          ? this.#querySentinel(this.#client)
          : this.#queryCluster(this.#client, node))
        for (const listener of this.#onRefresh) listener()
        return
      } catch (error) {
        failure = error
        this.#client.disconnect()
        this.#client = null
        this.#nodes = [...this.#nodes.slice(1), node]
      }
    }
    throw failure
  }

  async #querySentinel(client: Redis): Promise<void> {
    const answer = await client.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', this.guides.name)
    const [host, port] = SentinelAnswer.parse(answer)
    this.#ranges = [{ from: 0, to: Number.POSITIVE_INFINITY, master: { host, port } }]
  }

  /** Rejects a node that cannot reach most of the others, because it does not know the masters. */
  async #queryCluster(client: Redis, node: Address): Promise<void> {
    const info = await client.call('CLUSTER', 'INFO')
    if (!String(info).includes('cluster_state:ok')) throw new Error('The Redis Cluster is down')
    const slots = ClusterSlots.parse(await client.call('CLUSTER', 'SLOTS'))
    const addressOf = ([host, port]: z.output<typeof ClusterNode>): Address => ({ host: host || node.host, port })
    this.#ranges = slots.map(([from, to, master]) => ({ from, to, master: addressOf(master) }))
    const others = slots.flatMap(([, , ...nodes]) => nodes.map(addressOf))
    const known = [node, ...others, ...this.guides.nodes].map((node) => [`${node.host} ${node.port}`, node] as const)
    this.#nodes = [...new Map(known).values()]
  }

  #connect({ host, port }: Address): Redis {
    const { kind, login, sentinelLogin, isTls } = this.guides
    const client = new Redis({
      ...{ host, port, connectTimeout: LONGEST_ANSWER_MS, commandTimeout: LONGEST_ANSWER_MS },
      ...(kind === 'sentinel' ? sentinelLogin : login),
      ...(isTls && { tls: {} }),
      ...{ lazyConnect: true, enableReadyCheck: false, retryStrategy: () => null },
    })
    return client.on('error', () => {}) // each query fails too
  }
}
