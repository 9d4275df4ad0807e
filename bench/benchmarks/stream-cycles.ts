import { readdirSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import pLimit from 'p-limit'
import { emptyDataFolder } from '../../test/servers/server-process.ts'
import { type Benchmark, type GoalResult, goalUnder } from '../benchmark.ts'
import { bringOnline, type Fixture } from '../fixtures.ts'
import { fetchStreamPath, openSocketStream } from '../load.ts'
import { readMetric } from '../metrics.ts'

const PHONES = 200
const CYCLES = 20_000
/** These cycles compile the code and fill the caches. */
const WARM_UPS = 10_000
const CONCURRENCY = 50
const LOOK_MS = 100
const SETTLE_MS = 3_000
const GROWTH = 1.05

/** Opens and closes streams continuously, which must not leak memory. */
export const streamCycles: Benchmark = {
  name: 'stream-cycles',
  roomSizes: [PHONES],
  async run(fixtures) {
    const folder = await emptyDataFolder()
    const env = { NODE_OPTIONS: `--heapsnapshot-signal=SIGUSR2 --diagnostic-dir=${folder.path}` }
    const measured = fixtures.use(async (fixture) => {
      await bringOnline(fixture, fixture.room(PHONES))
      const { port } = fixture.product
      const { phones, room_id } = fixture.room(PHONES)
      const paths = await pLimit(CONCURRENCY).map(phones, ({ token }) => fetchStreamPath(port, room_id, token))
      const before = await afterCycles(fixture, paths, WARM_UPS)
      const after = await afterCycles(fixture, paths, CYCLES)
      const shown = (value: number) => value.toFixed(3)
      const row = (what: string, of: keyof typeof after): GoalResult =>
        goalUnder(
          `${CYCLES.toLocaleString('en')} streams opened and closed: ${what}`,
          after[of] / before[of],
          GROWTH,
          shown,
          {
            limit: `${Math.round(before[of])} before`,
          },
        )
      return [row('open files', 'files'), row('heap in use', 'heapMb')]
    }, env)
    return measured.finally(() => folder.remove())
  },
}

async function afterCycles({ product }: Fixture, paths: string[], cycles: number) {
  const { port, pid } = product
  const openAndClose = async (path: string) => {
    for (let cycle = 0; cycle < cycles / paths.length; cycle++) {
      const socket = await openSocketStream(port, path, () => {})
      socket.destroy()
    }
  }
  await pLimit(CONCURRENCY).map(paths, openAndClose)
  while ((await readMetric(port, 'parley_event_streams')) > 0) await delay(LOOK_MS)
  await delay(SETTLE_MS)
  return {
    files: readdirSync(`/proc/${pid}/fd`).length,
    heapMb: await usedHeap(product),
  }
}

/** Measures after a heap snapshot, which starts with a full garbage collection. The server blocks until it is done. */
async function usedHeap({ port, pid }: Fixture['product']): Promise<number> {
  process.kill(pid, 'SIGUSR2')
  await delay(LOOK_MS)
  return (await readMetric(port, 'nodejs_heap_size_used_bytes')) / 1024 ** 2
}
