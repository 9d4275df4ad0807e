import { availableParallelism } from 'node:os'
import { tableHead, tableLine } from '../bench/benchmark.ts'
import { BENCHMARKS } from '../bench/benchmarks/all.ts'
import { openFixtures } from '../bench/fixtures.ts'

const print = (line: string) => process.stdout.write(`${line}\n`)

const names = process.argv.slice(2)
const unknown = names.filter((name) => !BENCHMARKS.some((benchmark) => benchmark.name === name))
if (unknown.length > 0) {
  const known = BENCHMARKS.map(({ name }) => name).join(', ')
  process.stderr.write(`There is no benchmark ${unknown.join(', ')}; there are ${known}.\n`)
  process.exit(1)
}

const chosen = BENCHMARKS.filter(({ name, onlyWhenNamed }) =>
  names.length === 0 ? !onlyWhenNamed : names.includes(name),
)
print(`Node.js ${process.versions.node} on ${availableParallelism()} cores. Limit and product are measured in turns;`)
print("rates are per second of the server's own CPU time, the rest is by the clock, which a busy machine falsifies.\n")
print(tableHead)

const began = performance.now()
let met = 0
let missed = 0
const fixtures = await openFixtures([...new Set(chosen.flatMap(({ roomSizes = [] }) => roomSizes))])
for (const benchmark of chosen) {
  try {
    for (const outcome of await benchmark.run(fixtures)) {
      print(tableLine(outcome))
      if (outcome.isMet === true) met++
      if (outcome.isMet === false) missed++
    }
  } catch (error) {
    missed++
    print(`${benchmark.name} failed: ${error instanceof Error ? error.message : String(error)}`)
  }
}
await fixtures.close()

print(`\n${met} met, ${missed} missed, in ${Math.round((performance.now() - began) / 1000)} s`)
process.exitCode = missed > 0 ? 1 : 0
