import { freePort } from '../free-port.ts'
import { startPostgres, type TestPostgres } from '../postgres.ts'
import { startRedis, type TestRedis } from '../redis.ts'
import { type DataFolder, dataFolder, type ServerProcess, startServerProcess } from '../server-process.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

export class Node {
  readonly port: number
  /** Between this server and Redis. */
  readonly redisLink: TcpProxy
  readonly #env: Record<string, string>
  #process: ServerProcess | null = null

  constructor(port: number, redisLink: TcpProxy, env: Record<string, string>) {
    this.port = port
    this.redisLink = redisLink
    this.#env = env
  }

  get isRunning(): boolean {
    return this.#process !== null
  }

  async start(): Promise<void> {
    this.#process = await startServerProcess(this.#env)
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    const ended = this.#process
    this.#process = null
    await ended?.kill(signal)
  }

  signal(signal: NodeJS.Signals): void {
    this.#process?.child.kill(signal)
  }
}

/** Several real servers over one real PostgreSQL and one real Redis, and a balancer in front. */
export interface Cluster {
  nodes: Node[]
  postgres: TestPostgres
  redis: TestRedis
  /** Of the balancer. */
  port: number
  close(): Promise<void>
}

export async function startCluster(count: number): Promise<Cluster> {
  const [postgres, redis, folder]: [TestPostgres, TestRedis, DataFolder] = await Promise.all([
    startPostgres(),
    startRedis(),
    dataFolder(),
  ])
  const redisPort = Number(new URL(redis.url).port)
  const nodes: Node[] = []
  for (let index = 0; index < count; index++) {
    const [port, redisLink] = [await freePort(), await startTcpProxy(() => [redisPort])]
    const env = {
      DATABASE_URL: postgres.urlOf('postgres'),
      REDIS_URL: `redis://127.0.0.1:${redisLink.port}`,
      SECRET_KEY: 'a secret key for tests alone, 32 bytes or more',
      DATA_DIR: folder.path,
      PORT: String(port),
      ZOOM_CLIENT_ID: 'client',
      ZOOM_CLIENT_SECRET: 'secret',
    }
    nodes.push(new Node(port, redisLink, env))
  }
  for (const node of nodes) await node.start()
  const balancer = await startTcpProxy(() => nodes.filter(({ isRunning }) => isRunning).map(({ port }) => port))
  return {
    nodes,
    postgres,
    redis,
    port: balancer.port,
    async close() {
      await Promise.all(nodes.map((node) => node.end('SIGKILL')))
      for (const node of nodes) await node.redisLink.close()
      await balancer.close()
      await Promise.all([redis.stop(), postgres.stop(), folder.remove()])
    },
  }
}
