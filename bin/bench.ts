import { availableParallelism } from 'node:os'
import { stolenShare } from '../bench/cpu-time.ts'
import { rows } from '../bench/rows.ts'
import { openTheatre } from '../bench/stage.ts'
import { tableHead, tableLine } from '../bench/table.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !rows.some((row) => row.name === name))
if (unknown.length > 0) {
  process.stderr.write(
    `There is no ${unknown.join(', ')} to measure; there are ${rows.map((row) => row.name).join(', ')}.\n`,
  )
  process.exit(1)
}

const chosen = rows.filter((row) => (wanted.length === 0 ? !row.onlyWhenAsked : wanted.includes(row.name)))
say(
  `Node.js ${process.versions.node} on ${availableParallelism()} cores. Limit and product are measured in turns; rates are`,
)
say("per second of the server's own CPU time, the rest is by the clock. A busy machine shows in the latter.\n")
say(tableHead)

const began = performance.now()
const stolen = stolenShare()
let met = 0
let missed = 0
const theatre = await openTheatre([...new Set(chosen.flatMap((row) => row.rooms))])
for (const row of chosen) {
  try {
    for (const outcome of await row.measure(theatre)) {
      say(tableLine(outcome))
      if (outcome.isMet) met++
      else missed++
    }
  } catch (error) {
    missed++
    say(`${row.name} could not be measured: ${error instanceof Error ? error.message : String(error)}`)
  }
}
await theatre.close()
const lost = stolen()
if (lost !== null && lost > 0.01)
  say(
    `\nThe machine's host gave ${Math.round(lost * 100)} % of the time that was wanted to others: judge waits by that.`,
  )

say(`\n${met} met, ${missed} missed, in ${Math.round((performance.now() - began) / 1000)} s`)
process.exitCode = missed > 0 ? 1 : 0
