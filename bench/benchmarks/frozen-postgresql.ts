import { startPostgres } from '../../test/servers/postgres.ts'
import { dataFolder, http, makeHost, startServerProcess } from '../../test/servers/server-process.ts'
import { type Benchmark, formatMs, goalUnder } from '../benchmark.ts'
import { SECRET_KEY } from '../seed-rooms.ts'
import { measureMs } from '../statistics.ts'

const WRITES = 30
/** The console's timeout. */
const WRITE_MS = 15_000
const POLL_MS = 500

/** Freezes a PostgreSQL that keeps its connections but never responds. */
export const frozenPostgresql: Benchmark = {
  name: 'frozen-postgresql',
  async run() {
    const postgres = await startPostgres()
    const folder = await dataFolder()
    const zoom = { ZOOM_CLIENT_ID: 'client', ZOOM_CLIENT_SECRET: 'secret' }
    const database = { DATABASE_URL: postgres.urlOf('postgres'), SECRET_KEY }
    const server = await startServerProcess({ ...zoom, ...database, DATA_DIR: folder.path })
    try {
      const { token } = await makeHost(server)
      await http(server, 'GET', '/host/online-users', { token })
      const write = (n: number) => {
        const body = { username: `frozen-${n}`, user_id: `frozen-${n}`, password: 'lamp' }
        return measureMs(() => http(server, 'POST', '/host/users', { token, body }))
      }
      postgres.pause()
      const writes = Promise.all(Array.from({ length: WRITES }, (_, n) => write(n)))
      const poll = await measureMs(() => http(server, 'GET', '/host/online-users', { token }))
      const longest = Math.max(...(await writes))
      return [
        goalUnder(`the longest of ${WRITES} writes while PostgreSQL is frozen`, longest, WRITE_MS, formatMs),
        goalUnder('a poll during these', poll, POLL_MS, formatMs),
      ]
    } finally {
      postgres.resume()
      await server.kill('SIGKILL')
      await postgres.stop()
      await folder.remove()
    }
  },
}
