import { afterAll, beforeAll, expect, test } from 'vitest'
import { seededRandom } from '../../simulator/random.ts'
import { killOnce, measure, type Outcome } from './rounds.ts'
import { makeTrialWorld, type TrialWorld } from './trial-world.ts'
import { TRIALS } from './trials.ts'

/** Set by bin/test-commands.ts: all commands, or those named. Without it, a few that no other test kills, once. */
const CHOSEN = process.env.COMMANDS
const FEW = ['backup of PostgreSQL', 'person erase from PostgreSQL']
const NAMES = CHOSEN ? CHOSEN.split('\n') : CHOSEN === '' ? Object.keys(TRIALS) : FEW
const ROUNDS = Number(process.env.COMMAND_ROUNDS ?? 1)
const SEED = process.env.COMMAND_SEED ?? String(Math.floor(Math.random() * 2 ** 31))
const print = (line: string) => void (CHOSEN !== undefined && process.stdout.write(`${line}\n`))

let world: TrialWorld
const lines: string[] = []
beforeAll(async () => {
  expect(Object.keys(TRIALS)).toEqual(expect.arrayContaining(NAMES))
  world = await makeTrialWorld({ hasBackup: NAMES.some((name) => name.startsWith('restore')) })
})
afterAll(async () => {
  print(['', ...lines, ''].join('\n'))
  await world?.close()
})

test.each(NAMES)(
  `%s, killed at any moment, leaves what was there or all of it (COMMAND_SEED=${SEED})`,
  {
    timeout: (ROUNDS + 2) * 120_000,
  },
  async (name) => {
    const make = TRIALS[name]
    if (!make) throw new Error(`There is no "${name}"`)
    const reference = await measure(await make(world))
    const random = seededRandom(`${SEED} ${name}`)
    const outcomes: Outcome[] = []
    let rest = ROUNDS
    for (let round = 1; rest > 0; round++) {
      const { outcome, at } = await killOnce(await make(world), reference, random, round % 2 === 0)
      outcomes.push(outcome)
      if (outcome === 'ended before')
        reference.ms = Math.max(at, reference.ms / 2) // it was slower when it was measured
      else rest--
      print(
        `${name}, round ${round}, COMMAND_SEED=${SEED}, killed after ${at} of ${Math.round(reference.ms)} ms: ${outcome}`,
      )
    }
    const counts = [...new Set(outcomes)].map((one) => `${outcomes.filter((other) => other === one).length} ${one}`)
    lines.push(`${name}: ${outcomes.length} rounds, ${counts.join(', ')}`)
  },
)
