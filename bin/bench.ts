import { availableParallelism } from 'node:os'
import type { Outcome, Row } from '../bench/row.ts'
import { rows } from '../bench/rows.ts'
import { openTheatre } from '../bench/stage.ts'

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !rows.some((row) => row.name === name))
if (unknown.length > 0) {
  process.stderr.write(`No row ${unknown.join(', ')}; there are ${rows.map((row) => row.name).join(', ')}.\n`)
  process.exit(1)
}

const chosen = rows.filter((row) => wanted.length === 0 || wanted.includes(row.name))
process.stdout.write(`Node.js ${process.versions.node}, ${availableParallelism()} cores\n\n`)
const began = performance.now()
const theatre = await openTheatre([...new Set(chosen.flatMap((row) => row.rooms))])
let missed = 0
for (const row of chosen) {
  const outcome = await measured(row)
  if (!outcome.isMet) missed++
  process.stdout.write(
    `${[row.path, outcome.product, outcome.limit, outcome.ratio?.toFixed(2), row.goal, outcome.isMet, outcome.note].join(' | ')}\n`,
  )
}
await theatre.close()
process.stdout.write(`\n${Math.round((performance.now() - began) / 1000)} s\n`)
process.exitCode = missed > 0 ? 1 : 0

async function measured(row: Row): Promise<Outcome> {
  return row.measure(theatre)
}
