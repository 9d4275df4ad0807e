import { parseArgs } from 'node:util'
import { z } from 'zod'

const Nodes = z.coerce.number().int().min(1).max(9).optional()

export const DEMO_HELP = `Parley with sample data, a stand-in for Zoom and simulated phones that speak.

  npm run demo -- --nodes 3

  --nodes  how many servers, 1 to 9, that share PostgreSQL and Redis behind one address
           (default: one server with a database of its own)
  --help   this text

The settings of .env.example hold here too, such as PORT, and DATA_DIR, the folder that keeps the data.
Six users without Parley are in the meeting too, by Zoom's app and by telephone, unless HOST_SEAT is off.
`

/** Throws a one-line error with the flag, its value and the permitted ones. `nodes` is undefined without the flag. */
export function readOptions(args: string[]): { nodes: number | undefined } | 'help' {
  const { values } = parseArgs({ args, options: { nodes: { type: 'string' }, help: { type: 'boolean' } } })
  if (values.help) return 'help'
  const nodes = Nodes.safeParse(values.nodes)
  if (!nodes.success) throw new Error(`--nodes is "${values.nodes}": it takes a number of servers from 1 to 9`)
  return { nodes: nodes.data }
}
