import { atLeast, type Outcome, perSecond } from './benchmark.ts'
import type { Fixture } from './fixtures.ts'
import { Compared } from './statistics.ts'

interface Exchange {
  request: string
  status: number
}

type Comparison = { path: string; goal: number; bare: Exchange; product: Exchange; note?: () => Promise<string> }

/** The product's rate beside the bare server's, each per second of its own CPU time. */
export async function compareWithBare(
  { loadWorker, bare, product }: Fixture,
  comparison: Comparison,
): Promise<Outcome> {
  const compared = await loadWorker.call(Compared, 'compareRates', {
    limit: { pid: bare.pid, port: bare.port, ...comparison.bare },
    product: { pid: product.pid, port: product.port, ...comparison.product },
    connections: 40,
    warmUpMs: 1_500,
    rounds: 24,
    ms: 200,
  })
  return atLeast(comparison.path, compared, comparison.goal, perSecond, await comparison.note?.())
}
