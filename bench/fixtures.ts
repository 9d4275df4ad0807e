import { z } from 'zod'
import { dataFolder, type ServerProcess, startServerProcess } from '../test/server-process.ts'
import { Connection, statusCall } from './connection.ts'
import { SECRET_KEY, type SeededRoom, seedRooms } from './seed-rooms.ts'
import { Worker } from './worker.ts'

/** What a benchmark measures with, each in a process of its own. */
export interface Fixture {
  product: ServerProcess & { pid: number }
  bare: { pid: number; port: number; worker: Worker }
  loadWorker: Worker
  /** Measures waits that the first worker's load does not lengthen. */
  observer: Worker
  /** The seeded room of this many people. */
  room(size: number): SeededRoom
}

export interface Fixtures {
  readonly dataDir: string
  /** Starts all processes, so that no benchmark inherits a warm heap. `env` is for the product alone. */
  use<T>(measure: (fixture: Fixture) => Promise<T>, env?: Record<string, string>): Promise<T>
  close(): Promise<void>
}

/** One seeded data folder for all benchmarks. */
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
      const [bare, loadWorker, observer] = [
        new Worker('./bare-server.ts'),
        new Worker('./load-worker.ts'),
        new Worker('./load-worker.ts'),
      ]
      try {
        const port = await bare.call(z.number(), 'listen')
        return await measure({ product, bare: { pid: bare.pid, port, worker: bare }, loadWorker, observer, room })
      } finally {
        await Promise.all([loadWorker.end(), observer.end(), bare.end(), product.kill('SIGTERM')])
      }
    },
    close: () => folder.remove(),
  }
}

/** With the log that it writes by default, and the settings of a real Zoom, which these benchmarks never reach. */
export async function startProduct(dataDir: string, env: Record<string, string> = {}): Promise<Fixture['product']> {
  const zoom = { ZOOM_CLIENT_ID: 'client', ZOOM_CLIENT_SECRET: 'secret' }
  const server = await startServerProcess({ ...zoom, DATA_DIR: dataDir, SECRET_KEY, LOG_LEVEL: 'info', ...env })
  return { ...server, pid: server.child.pid ?? 0 }
}

/** Sends the first status call of each phone of the room. */
export async function bringOnline({ product: { port } }: Fixture, { phones }: SeededRoom): Promise<void> {
  const connection = new Connection(port)
  for (const { token } of phones) await connection.send(statusCall(port, token))
  connection.close()
}
