import { type GoalResult, perSecond, ratioAtLeast } from './benchmark.ts'
import type { Fixture } from './fixtures.ts'
import { Connection, measureRate } from './load.ts'
import { cpuSeconds } from './process-stats.ts'
import { interleave } from './statistics.ts'

const CONNECTIONS = 40
const WARM_UP_MS = 1_500
const ROUNDS = 24
const ROUND_MS = 200

interface Comparison {
  path: string
  goal: number
  status: number
  bare: string
  product: string
  note?: () => Promise<string>
}

/** Compares the product's rate with the bare server's, each per second of its own CPU time, in short turns. */
export async function compareWithBare({ bare, product }: Fixture, comparison: Comparison): Promise<GoalResult> {
  const { status } = comparison
  const rateOf = ({ pid, port }: { pid: number; port: number }, request: string) => {
    const connections = Array.from({ length: CONNECTIONS }, () => new Connection(port))
    return (ms: number) => measureRate(connections, request, { status, ms, clock: () => cpuSeconds(pid) })
  }
  const [limit, ours] = [rateOf(bare, comparison.bare), rateOf(product, comparison.product)]
  await limit(WARM_UP_MS)
  await ours(WARM_UP_MS)
  const compared = await interleave(ROUNDS, { limit: () => limit(ROUND_MS), product: () => ours(ROUND_MS) })
  return ratioAtLeast(comparison.path, compared, comparison.goal, perSecond, await comparison.note?.())
}
