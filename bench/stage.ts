import { z } from 'zod'
import { dataFolder, type ServerProcess, startServerProcess } from '../test/server-process.ts'
import { Remote } from './remote.ts'
import { SECRET_KEY, type SeededRoom, seedWorld } from './world.ts'

/** Everything that one row measures with, each in a process of its own. */
export interface Stage {
  product: ServerProcess
  bare: { pid: number; port: number; remote: Remote }
  load: Remote
  /** Another load, whose own waits the first one does not lengthen. */
  onlooker: Remote
  dataDir: string
  /** The seeded room of this many people. */
  room(size: number): SeededRoom
}

export interface Theatre {
  readonly dataDir: string
  /** `env` is for the product alone. */
  onStage<T>(play: (stage: Stage) => Promise<T>, env?: Record<string, string>): Promise<T>
  close(): Promise<void>
}

/** One seeded data folder for all rows; the processes are started anew for each, so that none inherits a warm heap. */
export async function openTheatre(sizes: number[]): Promise<Theatre> {
  const folder = await dataFolder()
  const rooms = await seedWorld(folder.path, sizes)
  return {
    dataDir: folder.path,
    async onStage(play, env = {}) {
      const product = await startProduct(folder.path, env)
      const bare = new Remote('./bare.ts')
      const load = new Remote('./load.ts')
      const onlooker = new Remote('./load.ts')
      try {
        const port = await bare.call(z.number(), 'listen')
        return await play({
          product,
          bare: { pid: bare.child.pid ?? 0, port, remote: bare },
          load,
          onlooker,
          dataDir: folder.path,
          room: roomOf(rooms),
        })
      } finally {
        await Promise.all([load.end(), onlooker.end(), bare.end(), product.kill('SIGTERM')])
      }
    },
    close: () => folder.remove(),
  }
}

/** As an operator starts it, with the log that it writes by default; Zoom is never asked by these rows. */
export function startProduct(dataDir: string, env: Record<string, string> = {}): Promise<ServerProcess> {
  const zoom = { ZOOM_CLIENT_ID: 'client', ZOOM_CLIENT_SECRET: 'secret' }
  const { NODE_COMPILE_CACHE = '' } = process.env // as `npm start` has it
  return startServerProcess({ ...zoom, NODE_COMPILE_CACHE, DATA_DIR: dataDir, SECRET_KEY, LOG_LEVEL: 'info', ...env })
}

function roomOf(rooms: SeededRoom[]): (size: number) => SeededRoom {
  return (size) => {
    const room = rooms.find(({ phones }) => phones.length === size)
    if (!room) throw new Error(`No room of ${size} was seeded`)
    return room
  }
}
