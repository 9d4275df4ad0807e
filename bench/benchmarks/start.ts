import { fork } from 'node:child_process'
import { once } from 'node:events'
import { type Benchmark, formatMs, goalUnder } from '../benchmark.ts'
import { startProduct } from '../fixtures.ts'
import { interleave } from '../statistics.ts'

const ROUNDS = 5
const GOAL_MS = 1_500

/** Measures a start with existing data, from the command until the server is ready. */
export const start: Benchmark = {
  name: 'start',
  roomSizes: [200],
  async run({ dataDir }) {
    const product = async () => {
      const began = performance.now()
      const server = await startProduct(dataDir)
      const ms = performance.now() - began
      await server.kill('SIGTERM')
      return ms
    }
    const limit = async () => {
      const began = performance.now()
      const child = fork(new URL('../bare-start.ts', import.meta.url), [dataDir])
      await once(child, 'message')
      const ms = performance.now() - began
      await once(child, 'exit')
      return ms
    }
    await product()
    const compared = await interleave(ROUNDS, { limit, product })
    const pglite = { limit: `${formatMs(compared.limit)} PGlite`, ratio: compared.ratio }
    return [goalUnder('start, warm, from the command to ready', compared.product, GOAL_MS, formatMs, pglite)]
  },
}
