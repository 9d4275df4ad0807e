import { setTimeout as delay } from 'node:timers/promises'
import { openPostgres } from '../../server/db/client.ts'
import { startPostgres } from '../../test/servers/postgres.ts'
import { emptyDataFolder } from '../../test/servers/server-process.ts'
import { type Benchmark, formatMb, type GoalResult, goalUnder } from '../benchmark.ts'
import { Child } from '../child.ts'
import { bringOnline, startProduct } from '../fixtures.ts'
import { readMetric } from '../metrics.ts'
import { residentMb } from '../process-stats.ts'
import { type SeededRoom, seedDatabase } from '../seed-rooms.ts'
import { openPhonesAt } from '../streams.ts'

const PHONES = 1_000
const IDLE_MB = 120
const REST_MB = 200
/** V8 keeps freed pages for some seconds. */
const SETTLE_MS = 5_000
/** Each phone makes its status call at least once. */
const STAY_MS = 25_000
/** The phones are offline, and the server has collected garbage for the first time since. */
const REST_MS = 75_000
const LOOK_MS = 100

/** Measures the memory of a server on PostgreSQL that nobody uses. */
export const memory: Benchmark = {
  name: 'memory',
  async run() {
    const [postgres, folder] = [await startPostgres(), await emptyDataFolder()]
    const DATABASE_URL = postgres.urlOf('postgres')
    const db = openPostgres(DATABASE_URL)
    try {
      const [room] = await seedDatabase(db, [PHONES])
      if (!room) throw new Error('No room was seeded')
      const start = () => startProduct(folder.path, { DATABASE_URL })
      await (await start()).kill('SIGTERM') // fills the compile cache
      return await measure(await start(), room)
    } finally {
      await db.destroy()
      await Promise.all([postgres.stop(), folder.remove()])
    }
  },
}

async function measure(product: Awaited<ReturnType<typeof startProduct>>, room: SeededRoom): Promise<GoalResult[]> {
  const { pid, port } = product
  const clients = new Child('./stream-clients.ts')
  try {
    await delay(SETTLE_MS)
    const idle = residentMb(pid)
    await bringOnline({ product }, room)
    await openPhonesAt(clients, { group: 'phones', port, room_id: room.room_id, phones: room.phones })
    await delay(STAY_MS)
    const busy = residentMb(pid)
    await clients.end()
    while ((await readMetric(port, 'parley_event_streams')) > 0) await delay(LOOK_MS)
    await delay(REST_MS)
    const phones = `${PHONES.toLocaleString('en')} phones`
    return [
      goalUnder('memory on PostgreSQL, right after the start', idle, IDLE_MB, formatMb),
      goalUnder(`memory at rest, after ${phones} came and went`, residentMb(pid), REST_MB, formatMb, {
        limit: `${formatMb(busy)} with`,
      }),
    ]
  } finally {
    await Promise.all([clients.end(), product.kill('SIGTERM')])
  }
}
