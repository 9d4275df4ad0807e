import { buildThrottle } from '../../test/factories/build-throttle.ts'
import { type Benchmark, ratioAtMost } from '../benchmark.ts'
import { interleave, measureMs } from '../statistics.ts'

const FEW = 60_000
const MANY = 600_000
const GOAL = 2
const ROUNDS = 5
const GUESSES = 5_000

/** Measures the cost of a wrong sign-in for the limits, after a flood of them with distinct names and addresses. */
export const guesses: Benchmark = {
  name: 'guesses',
  async run() {
    const [few, many] = [flooded(FEW), flooded(MANY)]
    const path = `a wrong sign-in after ${MANY.toLocaleString('en')} (limit: after ${FEW.toLocaleString('en')})`
    const compared = await interleave(ROUNDS, {
      limit: () => microsecondsEach(few),
      product: () => microsecondsEach(many),
    })
    return [ratioAtMost(path, compared, GOAL, (value) => `${value.toFixed(1)} µs`)]
  },
}

type Throttle = ReturnType<typeof buildThrottle>['throttle']

function flooded(keys: number): Throttle {
  const { throttle, countElsewhere } = buildThrottle(Date.now)
  for (let n = 0; n < keys; n++) countElsewhere({ account: `account ${n}`, address: `address ${n}` })
  return throttle
}

let guessed = 0

async function microsecondsEach(throttle: Throttle): Promise<number> {
  const ms = await measureMs(async () => {
    for (let n = 0; n < GUESSES; n++) {
      // Each guess comes from another network, so that no network reaches its own limit.
      const address = `10.${guessed & 255}.${(guessed >> 8) & 255}.${(guessed >> 16) & 255}`
      await throttle.guess(`guess ${guessed++}`, address, async () => ({ isRight: false }))
    }
  })
  return (ms * 1_000) / GUESSES
}
