import { setTimeout as delay } from 'node:timers/promises'
import { fillFolder } from './calls-to-folder.ts'
import { listRecordingsDuring } from './calls-to-zoom.ts'
import type { Cluster, Node } from './cluster.ts'
import { stallReaders } from './stalled-readers.ts'
import type { TcpProxy } from './tcp-proxy.ts'

export interface World {
  cluster: Cluster
  /** The token of the host whose room is in use. */
  token: string
}

/** Breaks something for a while, and repairs it. `node` is one of the servers. */
interface Fault {
  run: (world: World, node: Node) => Promise<void>
  /** Short enough for every test run, without a compiler. */
  isShort?: true
}

const SHORT_MS = 1_500
const LONG_MS = 8_000

const frozen = (ms: number, freeze: (world: World, node: Node, isFrozen: boolean) => void): Fault => ({
  ...(ms < LONG_MS && { isShort: true }),
  async run(world, node) {
    freeze(world, node, true)
    await delay(ms)
    freeze(world, node, false)
  },
})
const freezeServer = (_: World, node: Node, isFrozen: boolean) => node.signal(isFrozen ? 'SIGSTOP' : 'SIGCONT')
const freezeRedis = ({ cluster: { redis } }: World, _: Node, isFrozen: boolean) =>
  isFrozen ? redis.pause() : redis.resume()
const freezePostgres = ({ cluster: { postgres } }: World, _: Node, isFrozen: boolean) =>
  isFrozen ? postgres.pause() : postgres.resume()

type Link = (world: World, node: Node) => TcpProxy
const toRedis: Link = (_, { links }) => links.redis
const toPostgres: Link = (_, { links }) => links.postgres
const toServers: Link = ({ cluster }) => cluster.balancer

const cut = (link: Link): Fault => ({
  isShort: true,
  async run(world, node) {
    link(world, node).cut()
    await delay(SHORT_MS)
    link(world, node).restore()
  },
})
const lost = (link: Link): Fault => ({
  isShort: true,
  async run(world, node) {
    link(world, node).stall()
    await delay(2 * SHORT_MS)
    link(world, node).restore()
  },
})
/** Adds half a second to a call's round trip. */
const slow = (link: Link): Fault => ({
  async run(world, node) {
    link(world, node).delay(250)
    await delay(LONG_MS)
    link(world, node).restore()
  },
})
const reordered = (link: Link): Fault => ({
  async run(world, node) {
    for (let round = 0; round < 4; round++) {
      link(world, node).reorder()
      await delay(LONG_MS / 4)
    }
    link(world, node).restore()
  },
})

const fullDisk = (of: 'postgres' | 'redis'): Fault => ({
  async run({ cluster: { machines } }) {
    await machines?.[of].setDiskFull(true)
    await delay(LONG_MS)
    await machines?.[of].setDiskFull(false)
  },
})

const clockJump = (seconds: number): Fault => ({
  async run(_, { machine }) {
    await machine?.shiftClock(seconds)
    await delay(LONG_MS)
    await machine?.shiftClock(0)
    await delay(SHORT_MS)
  },
})

const withoutZoom = (down: (zoomLink: TcpProxy) => void): Fault => ({
  async run({ cluster, token }) {
    await listRecordingsDuring(cluster, token, async () => {
      down(cluster.zoomLink)
      await delay(LONG_MS)
    })
    cluster.zoomLink.restore()
  },
})

export const FAULTS: Record<string, Fault> = {
  nothing: { run: () => delay(LONG_MS) },
  'a server is killed': {
    isShort: true,
    async run(_, node) {
      await node.end('SIGKILL')
      await delay(SHORT_MS)
      await node.start()
    },
  },
  'a server is stopped': {
    isShort: true,
    async run(_, node) {
      await node.end('SIGTERM')
      await node.start()
    },
  },
  'a server is frozen': frozen(2 * SHORT_MS, freezeServer),
  'a server is frozen for 20 s': frozen(20_000, freezeServer),
  'a server is frozen for 60 s': frozen(60_000, freezeServer),
  "a server's clock jumps an hour ahead, and back": clockJump(3_600),
  "a server's clock jumps ten minutes back, and ahead": clockJump(-600),
  'Redis is killed, and starts empty': {
    isShort: true,
    async run({ cluster: { redis } }) {
      await redis.kill()
      await delay(SHORT_MS)
      await redis.start()
    },
  },
  'Redis is killed, and starts with what it wrote to disk': {
    async run({ cluster: { redis } }) {
      await redis.kill()
      await delay(SHORT_MS)
      await redis.start({ isEmpty: false })
    },
  },
  'Redis is frozen': frozen(2 * SHORT_MS, freezeRedis),
  'Redis is frozen for 20 s': frozen(20_000, freezeRedis),
  'Redis is frozen for 60 s': frozen(60_000, freezeRedis),
  'the disk of Redis is full': fullDisk('redis'),
  'PostgreSQL crashes': { isShort: true, run: ({ cluster: { postgres } }) => postgres.restart('crash') },
  'PostgreSQL is frozen': frozen(2 * SHORT_MS, freezePostgres),
  'PostgreSQL is frozen for 20 s': frozen(20_000, freezePostgres),
  'PostgreSQL is frozen for 60 s': frozen(60_000, freezePostgres),
  'the disk of PostgreSQL is full': fullDisk('postgres'),
  'the disk of the shared folder is full': {
    async run({ cluster, token }) {
      await fillFolder(cluster, token, LONG_MS)
    },
  },
  'a server is cut off from Redis': cut(toRedis),
  'what a server and Redis send each other is lost': lost(toRedis),
  'a server and Redis are 250 ms apart': slow(toRedis),
  'connections to Redis overtake each other': reordered(toRedis),
  'a server is cut off from PostgreSQL': cut(toPostgres),
  'what a server and PostgreSQL send each other is lost': lost(toPostgres),
  'a server and PostgreSQL are 250 ms apart': slow(toPostgres),
  'connections to PostgreSQL overtake each other': reordered(toPostgres),
  'consoles and phones are cut off': cut(toServers),
  'what consoles and phones send and receive is lost': lost(toServers),
  'consoles and phones are 250 ms away': slow(toServers),
  'connections of consoles and phones overtake each other': reordered(toServers),
  'consoles read slowly, or stop reading': { run: ({ cluster }) => stallReaders(cluster) },
  'Zoom cannot be reached': withoutZoom((link) => link.cut()),
  'Zoom does not answer': withoutZoom((link) => link.stall()),
}
