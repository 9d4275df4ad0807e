import { freePort } from '../test/servers/free-port.ts'
import { dataFolder, PROGRAM, type ServerProcess, startServerProcess } from '../test/servers/server-process.ts'
import { Child } from './child.ts'
import { Connection, statusCall } from './load.ts'
import { SECRET_KEY, type SeededRoom, seedRooms } from './seed-rooms.ts'

/** The measured processes. The load comes from the benchmark's own process. */
export interface Fixture {
  product: ServerProcess & { pid: number; inspectorPort: number }
  bare: { pid: number; port: number; child: Child }
  /** Reads many streams in its own process, so that this does not delay the load. */
  clients: Child
  /** Returns the seeded room of this size. */
  room(size: number): SeededRoom
}

export interface Fixtures {
  readonly dataDir: string
  /** Starts all processes, so that no benchmark inherits a warm heap. `env` only applies to the product. */
  use<T>(measure: (fixture: Fixture) => Promise<T>, env?: Record<string, string>): Promise<T>
  close(): Promise<void>
}

/** Opens one seeded data folder for all benchmarks. */
export async function openFixtures(roomSizes: number[]): Promise<Fixtures> {
  const folder = await dataFolder()
  const rooms = await seedRooms(folder.path, roomSizes)
  const room = (size: number) => {
    const found = rooms.find(({ phones }) => phones.length === size)
    if (!found) throw new Error(`No room of ${size} was seeded`)
    return found
  }
  return {
    dataDir: folder.path,
    async use(measure, env) {
      const product = await startProduct(folder.path, env)
      const [child, clients] = [new Child('./bare-server.ts'), new Child('./stream-clients.ts')]
      try {
        const bare = { pid: child.pid, port: await child.run({}), child }
        return await measure({ product, bare, clients, room })
      } finally {
        await Promise.all([clients.end(), child.end(), product.kill('SIGTERM')])
      }
    },
    close: () => folder.remove(),
  }
}

/** Uses the flags and the log of production, and settings of the real Zoom, which these benchmarks never call. */
export async function startProduct(
  dataDir: string,
  env: Record<string, string> = {},
  program = PROGRAM,
): Promise<Fixture['product']> {
  const zoom = { ZOOM_CLIENT_ID: 'client', ZOOM_CLIENT_SECRET: 'secret' }
  const memory = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' }
  const settings = { ...zoom, ...memory, DATA_DIR: dataDir, SECRET_KEY, LOG_LEVEL: 'info', ...env }
  const inspectorPort = await freePort()
  const server = await startServerProcess(settings, [], program, [
    '--min-semi-space-size=8',
    `--inspect-port=${inspectorPort}`,
  ])
  return { ...server, pid: server.child.pid ?? 0, inspectorPort }
}

/** Sends the first status call of each phone of the room. */
export async function bringOnline(
  { product: { port } }: Pick<Fixture, 'product'>,
  { phones }: SeededRoom,
): Promise<void> {
  const connection = new Connection(port)
  for (const { token } of phones) await connection.send(statusCall(port, token))
  connection.close()
}
