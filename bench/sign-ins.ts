import { join } from 'node:path'
import { openPostgres } from '../server/db/client.ts'
import { openFolder } from '../server/db/embedded.ts'
import { migrate } from '../server/db/migrate.ts'
import { PASSWORD } from '../shared/examples.ts'
import { startPostgres } from '../test/servers/postgres.ts'
import { formatMs, type GoalResult, ratioAtLeast, withoutGoal } from './benchmark.ts'
import type { Fixture, Fixtures } from './fixtures.ts'
import { Connection, measureRate, requestText } from './load.ts'
import { cpuSeconds } from './process-stats.ts'
import { SIGN_IN_HOSTS, seedSignInHosts } from './seed-rooms.ts'
import { interleave, measureMs, median } from './statistics.ts'

const GOAL = 0.85
const ROUNDS = 3
export const ROUND_MS = 2_500
const WRITES = 500

/** Returns a function that measures sign-ins per second, with four clients that rotate through many hosts. */
export function signInsPerSecond(port: number): () => Promise<number> {
  const logins = SIGN_IN_HOSTS.map((username) =>
    requestText('POST', '/api/auth/host/login', { port, body: { username, password: PASSWORD } }),
  )
  let count = 0
  const next = () => logins[count++ % logins.length] ?? ''
  const connections = Array.from({ length: 4 }, () => new Connection(port))
  const clock = () => performance.now() / 1000
  return () => measureRate(connections, next, { status: 200, ms: ROUND_MS, clock })
}

/** Compares with plain argon2 verifications, by the clock, since the work is done on all cores. */
export async function compareWithArgon2({ product, bare }: Fixture, path: string): Promise<GoalResult> {
  const signIn = signInsPerSecond(product.port)
  await signIn()
  const cpuMs: Record<'verification' | 'signIn', number[]> = { verification: [], signIn: [] }
  const costing = (pid: number, each: number[], work: () => Promise<number>) => async () => {
    const [cpu, began] = [cpuSeconds(pid), performance.now()]
    const rate = await work()
    each.push(((cpuSeconds(pid) - cpu) * 1_000_000) / (rate * (performance.now() - began)))
    return rate
  }
  const rates = await interleave(ROUNDS, {
    limit: costing(bare.pid, cpuMs.verification, () => bare.child.run({ password: PASSWORD, ms: ROUND_MS })),
    product: costing(product.pid, cpuMs.signIn, signIn),
  })
  const [whole, argon2] = [median(cpuMs.signIn), median(cpuMs.verification)]
  const note = `by the clock, on all cores; ${formatMs(whole)} of the server's CPU time each, of which argon2 takes ${formatMs(argon2)}`
  return ratioAtLeast(path, rates, GOAL, (rate) => `${rate.toFixed(0)}/s`, note)
}

export async function measureOnPostgres(fixtures: Fixtures, path: string): Promise<GoalResult> {
  const postgres = await startPostgres()
  const DATABASE_URL = postgres.urlOf('postgres')
  const db = openPostgres(DATABASE_URL)
  await migrate(db)
  await seedSignInHosts(db)
  await db.destroy()
  try {
    return await fixtures.use((fixture) => compareWithArgon2(fixture, path), { DATABASE_URL })
  } finally {
    await postgres.stop()
  }
}

/** Measures how long the embedded database blocks the server's event loop. The server is not running. */
export async function measureEmbeddedWrite(dataDir: string): Promise<GoalResult> {
  const db = await openFolder(join(dataDir, 'pglite'))
  const write = async () => {
    for (let count = 0; count < WRITES; count++) await db.updateTable('hosts').set({ login_time: new Date() }).execute()
  }
  await write()
  const ms = (await measureMs(write)) / WRITES
  await db.destroy()
  return withoutGoal('one write to the embedded database', `${ms.toFixed(2)} ms`)
}
