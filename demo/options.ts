import { parseArgs } from 'node:util'
import { z } from 'zod'

const Nodes = z.coerce.number().int().min(1).max(9).optional()

/** Throws one line that names the flag, its value and the allowed ones. `nodes` is undefined for the usual demo. */
export function readOptions(args: string[]): { nodes: number | undefined } {
  const { values } = parseArgs({ args, options: { nodes: { type: 'string' } } })
  const nodes = Nodes.safeParse(values.nodes)
  if (!nodes.success) throw new Error(`--nodes is "${values.nodes}": it takes a number of servers from 1 to 9`)
  return { nodes: nodes.data }
}
