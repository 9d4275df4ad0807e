import { Connection, requestText } from './connection.ts'
import { Compared } from './rounds.ts'
import { type Outcome, perSecond } from './row.ts'
import type { Stage } from './stage.ts'
import type { SeededRoom } from './world.ts'

const ROUNDS = 24
const ROUND_MS = 200
const CONNECTIONS = 40

interface Side {
  request: string
  status: number
}

/** How often the product answers beside how often the bare server does, in short turns. */
export async function compareRates(
  { load, bare, product }: Stage,
  { path, least, limit, ours }: { path: string; least: number; limit: Side; ours: Side },
): Promise<Outcome> {
  const compared = await load.call(Compared, 'compareRates', {
    limit: { pid: bare.pid, port: bare.port, ...limit },
    product: { pid: product.child.pid, port: product.port, ...ours },
    connections: CONNECTIONS,
    warmUpMs: 1_500,
    rounds: ROUNDS,
    ms: ROUND_MS,
  })
  const { ratio } = compared
  return {
    path,
    product: perSecond(compared.product),
    limit: perSecond(compared.limit),
    ratio,
    goal: `${least.toFixed(2)} or more`,
    isMet: ratio >= least,
  }
}

/** Brings the room's people online, as their phones' first status calls do. */
export async function bringOnline({ product: { port } }: Stage, { phones }: SeededRoom): Promise<void> {
  const connection = new Connection(port)
  for (const { token } of phones)
    await connection.ask(requestText('POST', '/api/mobile/status', { port, token, body: {} }))
  connection.close()
}
