import { setTimeout as delay } from 'node:timers/promises'
import { startTcpProxy } from '../../test/faults/tcp-proxy.ts'
import { startPostgres } from '../../test/servers/postgres.ts'
import { emptyDataFolder, http, makeHost, startServerProcess } from '../../test/servers/server-process.ts'
import { type Benchmark, formatMs, goalUnder } from '../benchmark.ts'
import { readMetric } from '../metrics.ts'
import { SECRET_KEY } from '../seed-rooms.ts'
import { measureMs } from '../statistics.ts'

/** BENCH_MINUTES=0.1 shortens the run. */
const SILENT_MS = Number(process.env.BENCH_MINUTES ?? 0.5) * 60_000
const EVERY_MS = 500
/** The console's timeout. */
const WRITE_MS = 15_000
const POLL_MS = 500
const LAG_MS = 50
const RECOVERY_MS = 2_000
const LOOK_MS = 20

/** Drops all packets between server and PostgreSQL for half a minute, without resetting connections. */
export const silentPostgresql: Benchmark = {
  name: 'silent-postgresql',
  onlyWhenNamed: true,
  async run() {
    const [postgres, folder] = [await startPostgres(), await emptyDataFolder()]
    const url = new URL(postgres.urlOf('postgres'))
    const network = await startTcpProxy(() => [Number(new URL(postgres.urlOf('postgres')).port)])
    url.port = String(network.port)
    const zoom = { ZOOM_CLIENT_ID: 'client', ZOOM_CLIENT_SECRET: 'secret' }
    const server = await startServerProcess({ ...zoom, DATABASE_URL: url.href, SECRET_KEY, DATA_DIR: folder.path })
    try {
      const { token } = await makeHost(server)
      const write = () => http(server, 'POST', '/host/trigger-bulk-mute/mute', { token })
      const poll = () => http(server, 'GET', '/host/online-users', { token })
      await poll()
      await write()
      network.stall()
      const writes: Promise<number>[] = []
      const polls: number[] = []
      for (let ms = 0; ms < SILENT_MS; ms += EVERY_MS) {
        writes.push(measureMs(write))
        polls.push(await measureMs(poll))
        await delay(EVERY_MS)
      }
      const lag = (await readMetric(server.port, 'nodejs_eventloop_lag_p99_seconds')) * 1_000
      network.restore()
      const recovery = await measureMs(async () => {
        while ((await write()).status !== 200) await delay(LOOK_MS)
      })
      const longest = Math.max(...(await Promise.all(writes)))
      return [
        goalUnder(`PostgreSQL silent for ${SILENT_MS / 1_000} s: the longest write`, longest, WRITE_MS, formatMs),
        goalUnder('the longest poll during this', Math.max(...polls), POLL_MS, formatMs),
        goalUnder('delay of the event loop, p99', lag, LAG_MS, formatMs),
        goalUnder('the first write after it succeeds within', recovery, RECOVERY_MS, formatMs),
      ]
    } finally {
      await server.kill('SIGKILL')
      await network.close()
      await postgres.stop()
      await folder.remove()
    }
  },
}
