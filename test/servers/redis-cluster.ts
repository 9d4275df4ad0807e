import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { expect } from 'vitest'
import { eventually } from '../eventually.ts'
import { freePort } from './free-port.ts'
import { type RedisProcess, startRedisProcess } from './redis.ts'

export interface TestRedisCluster {
  url: string
  /** Clients for commands to the masters. Each has a third of the slots, in their order. */
  clients: [Redis, Redis, Redis]
  /** The master of the first third of the slots, which has a replica. */
  master(): Promise<RedisProcess>
  /** Performs a manual failover to its replica. */
  promote(): Promise<void>
  stop(): Promise<void>
}

const FIRST_SLOTS = [0, 5_461, 10_923, 16_384]
/** Milliseconds of silence after which a node counts as failed. */
const NODE_TIMEOUT = 1_000

/** A real Redis Cluster of three masters and a replica on free loopback ports. */
export async function startRedisCluster(): Promise<TestRedisCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-cluster-'))
  const clients = new Map<RedisProcess, Redis>()
  const clientOf = (node: RedisProcess) => clients.get(node) ?? new Redis(node.port)
  const start = async () => {
    const [port, busPort] = [await freePort(), await freePort()]
    const node = await startRedisProcess(port, [
      ...['--cluster-enabled', 'yes', '--cluster-config-file', `${port}.conf`, '--dir', folder],
      ...['--cluster-port', String(busPort), '--cluster-node-timeout', String(NODE_TIMEOUT)],
      ...['--dbfilename', `${port}.rdb`], // a replica writes its initial data set to this
      ...['--cluster-require-full-coverage', 'no', '--repl-diskless-sync-delay', '0'],
    ])
    clients.set(
      node,
      new Redis(port).on('error', () => {}),
    )
    return { node, busPort }
  }
  const nodes = await Promise.all([start(), start(), start(), start()])
  const [first, second, third, replica] = nodes
  for (const [index, { node }] of nodes.slice(0, 3).entries()) {
    await clientOf(node).call('CLUSTER', 'ADDSLOTSRANGE', FIRST_SLOTS[index] ?? 0, (FIRST_SLOTS[index + 1] ?? 0) - 1)
    await clientOf(node).call('CLUSTER', 'SET-CONFIG-EPOCH', index + 1)
  }
  for (const { node, busPort } of nodes.slice(1))
    await clientOf(first.node).call('CLUSTER', 'MEET', '127.0.0.1', node.port, busPort)
  const isReplica = async (node: RedisProcess) => (await clientOf(node).info('replication')).includes('role:slave')
  const isReady = async ({ node }: { node: RedisProcess }) => {
    const info = await clientOf(node).call('CLUSTER', 'INFO')
    expect(info).toMatch(/cluster_state:ok[\s\S]*cluster_slots_ok:16384[\s\S]*cluster_known_nodes:4/)
  }
  await eventually(() => Promise.all(nodes.map(isReady)))
  await clientOf(replica.node).call('CLUSTER', 'REPLICATE', String(await clientOf(first.node).call('CLUSTER', 'MYID')))
  await eventually(async () => expect(await clientOf(replica.node).info('replication')).toContain('link_status:up'))
  for (const { node } of nodes)
    await eventually(async () => expect(await clientOf(node).call('CLUSTER', 'NODES')).toContain('slave'))
  return {
    url: `redis+cluster://${nodes.map(({ node }) => `127.0.0.1:${node.port}`).join(',')}`,
    clients: [clientOf(first.node), clientOf(second.node), clientOf(third.node)],
    master: async () => ((await isReplica(first.node)) ? replica.node : first.node),
    promote: () =>
      eventually(async () => {
        const candidate = (await isReplica(first.node)) ? first.node : replica.node
        await clientOf(candidate).call('CLUSTER', 'FAILOVER')
      }),
    async stop() {
      for (const client of clients.values()) client.disconnect()
      await Promise.all(nodes.map(({ node }) => node.kill()))
      await rm(folder, { recursive: true, force: true })
    },
  }
}
