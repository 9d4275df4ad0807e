import { fork } from 'node:child_process'
import { once } from 'node:events'
import { interleave } from './rounds.ts'
import { inMs, type Row } from './row.ts'
import { startProduct } from './stage.ts'

const ROUNDS = 5
const MOST_MS = 1_500

/** With existing data, from the command to the first word that it is ready. */
export const startRow: Row = {
  name: 'start',
  rooms: [200],
  async measure({ dataDir }) {
    const product = async () => {
      const began = performance.now()
      const server = await startProduct(dataDir)
      const ms = performance.now() - began
      await server.kill('SIGTERM')
      return ms
    }
    const limit = async () => {
      const began = performance.now()
      const child = fork(new URL('./bare-start.ts', import.meta.url), [dataDir], { execArgv: [] })
      await once(child, 'message')
      const ms = performance.now() - began
      await once(child, 'exit')
      return ms
    }
    await product()
    const compared = await interleave(ROUNDS, { limit, product })
    return [
      {
        path: 'start, warm, from the command to ready',
        product: inMs(compared.product),
        limit: `${inMs(compared.limit)} PGlite`,
        ratio: compared.ratio,
        goal: `under ${(MOST_MS / 1000).toFixed(1)} s`,
        isMet: compared.product < MOST_MS,
      },
    ]
  },
}
