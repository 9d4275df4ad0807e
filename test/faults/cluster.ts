import { freePort } from '../servers/free-port.ts'
import { startPostgres, type TestPostgres } from '../servers/postgres.ts'
import { startRedis, type TestRedis } from '../servers/redis.ts'
import { type DataFolder, dataFolder, type ServerProcess, startServerProcess } from '../servers/server-process.ts'
import { type ExternalZoom, startZoomFor } from '../zoom/zoom-over-http.ts'
import { buildMachines, type Machine, type Machines } from './machine.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

/** The links between a server and its dependencies. */
interface Links {
  redis: TcpProxy
  postgres: TcpProxy
}

export class Node {
  readonly port: number
  readonly links: Links
  /** Null without `machines`. */
  readonly machine: Machine | null
  readonly #env: Record<string, string>
  #process: ServerProcess | null = null

  constructor(port: number, links: Links, machine: Machine | null, env: Record<string, string>) {
    this.port = port
    this.links = links
    this.machine = machine
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

/** Several real servers on one real PostgreSQL and one real Redis, behind a balancer, with Zoom's emulator. */
export interface Cluster {
  nodes: Node[]
  postgres: TestPostgres
  redis: TestRedis
  zoom: ExternalZoom
  /** The machines of the shared services, if their disks can be filled. */
  machines: { postgres: Machine; redis: Machine } | null
  /** The link from consoles and phones to the servers. */
  balancer: TcpProxy
  /** The link from all servers to Zoom. */
  zoomLink: TcpProxy
  /** The balancer's port. */
  port: number
  /** The folder that the servers share. */
  dataDir: string
  close(): Promise<void>
}

/** `canFillDisks` permits filling every program's disk, and shifting the servers' clocks. */
export async function startCluster(count: number, { canFillDisks }: { canFillDisks: boolean }): Promise<Cluster> {
  const built: Machines | null = canFillDisks ? await buildMachines() : null
  const machines = built && { postgres: await built.create('postgres'), redis: await built.create('redis') }
  const [postgres, redis, folder]: [TestPostgres, TestRedis, DataFolder] = await Promise.all([
    startPostgres(machines?.postgres.env),
    startRedis(built && machines ? { folder: built.folder, env: machines.redis.env } : {}),
    dataFolder(),
  ])
  const nodes: Node[] = []
  const balancer = await startTcpProxy(() => nodes.filter(({ isRunning }) => isRunning).map(({ port }) => port))
  const zoom = await startZoomFor(balancer.port)
  const portOf = (url: string) => Number(new URL(url).port)
  const zoomLink = await startTcpProxy(() => [portOf(zoom.origin)])
  const throughLink = (url: string, { port }: TcpProxy) => url.replace(`:${portOf(url)}`, `:${port}`)
  const databaseUrl = postgres.urlOf('postgres')
  for (let index = 0; index < count; index++) {
    const links = {
      redis: await startTcpProxy(() => [portOf(redis.url)]),
      postgres: await startTcpProxy(() => [portOf(databaseUrl)]),
    }
    const [port, machine] = [await freePort(), (await built?.create(`server-${index}`)) ?? null]
    const env = {
      ...zoom.env,
      ...machine?.env,
      ZOOM_OAUTH_URL: throughLink(zoom.oauthUrl, zoomLink),
      ZOOM_API_URL: throughLink(zoom.apiUrl, zoomLink),
      DATABASE_URL: throughLink(databaseUrl, links.postgres),
      REDIS_URL: throughLink(redis.url, links.redis),
      SECRET_KEY: 'a secret key for tests alone, 32 bytes or more',
      DATA_DIR: folder.path,
      FEATURES: 'logo-upload',
      PORT: String(port),
    }
    nodes.push(new Node(port, links, machine, env))
  }
  for (const node of nodes) await node.start()
  return {
    ...{ nodes, postgres, redis, zoom, machines, balancer, zoomLink },
    port: balancer.port,
    dataDir: folder.path,
    async close() {
      await Promise.all(nodes.map((node) => node.end('SIGKILL')))
      const links = nodes.flatMap((node) => [node.links.redis, node.links.postgres])
      await Promise.all([...links, balancer, zoomLink, zoom].map((one) => one.close()))
      await Promise.all([redis.stop(), postgres.stop(), folder.remove(), built?.remove()])
    },
  }
}
