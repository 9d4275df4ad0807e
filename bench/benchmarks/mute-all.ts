import { type Benchmark, formatMs, type GoalResult, ratioAtMost } from '../benchmark.ts'
import type { Fixtures } from '../fixtures.ts'
import { interleave } from '../statistics.ts'
import { broadcasts, openBareStreams, openPhones } from '../streams.ts'

const GOAL = 1.3
/** These rounds let framework and database be JIT-compiled, as on a server that has run for a while. */
const WARM_UPS = 60
const SIZES = [
  { size: 1_000, rounds: 25 },
  { size: 5_000, rounds: 11 },
]

export const muteAll: Benchmark = {
  name: 'mute-all',
  roomSizes: SIZES.map(({ size }) => size),
  async run(fixtures) {
    const outcomes: GoalResult[] = []
    for (const { size, rounds } of SIZES) outcomes.push(await measureSize(fixtures, size, rounds))
    return outcomes
  },
}

function measureSize(fixtures: Fixtures, size: number, rounds: number): Promise<GoalResult> {
  return fixtures.use(async (fixture) => {
    await openBareStreams(fixture, size)
    await openPhones(fixture, size)
    const { bare, muteAll, unmuteAll } = broadcasts(fixture, size)
    const product = async () => {
      const ms = await muteAll()
      await unmuteAll()
      return ms
    }
    for (let round = 0; round < WARM_UPS; round++) {
      await bare()
      await product()
    }
    const compared = await interleave(rounds, { limit: bare, product })
    return ratioAtMost(
      `Mute All to ${size.toLocaleString('en')} phones, call to last receipt`,
      compared,
      GOAL,
      formatMs,
    )
  })
}
