import { setTimeout as delay } from 'node:timers/promises'
import { PASSWORD } from '../../shared/examples.ts'
import { http } from '../../test/servers/server-process.ts'
import { type Benchmark, formatMs, type GoalResult, goalUnder } from '../benchmark.ts'
import type { Fixture } from '../fixtures.ts'
import { Connection, requestText } from '../load.ts'
import { SIGN_IN_HOSTS } from '../seed-rooms.ts'
import { quantile } from '../statistics.ts'

const ROOM = 1
const WRONG = { connections: 60, path: "sign-ins' p95 beside wrong passwords from many /64 of one /48" }
const RIGHT = {
  connections: 70,
  users: 14,
  addresses: 4,
  path: "sign-ins' p95 beside right passwords of a dozen users",
}
const P95_MS = 1_000
/** The number of sequential sign-ins, every second one on a known device. */
const HONEST = 40

/** Measures honest sign-ins during a flood, each from a different address, on known and on new devices. */
export const signInFlood: Benchmark = {
  name: 'sign-in-flood',
  roomSizes: [ROOM],
  run: (fixtures) =>
    fixtures.use(
      async (fixture) => [
        ...(await measure(fixture, WRONG.path, WRONG.connections, wrongPasswords(fixture))),
        ...(await measure(fixture, RIGHT.path, RIGHT.connections, await rightPasswords(fixture))),
      ],
      { TRUST_PROXY: 'true' },
    ),
}

let signers = 0

async function measure(
  { product: { port } }: Fixture,
  path: string,
  connections: number,
  next: () => string,
): Promise<GoalResult[]> {
  const known = Array.from({ length: HONEST / 2 }, () => honest(port))
  const alone: number[] = []
  for (const request of known) alone.push((await answerTo(port, request)).ms)
  const flood = new Flood(port, connections, next)
  await delay(500) // by now the flood occupies all slots
  const answers: { status: number; ms: number }[] = []
  for (let n = 0; n < HONEST; n++) {
    const request = (n % 2 === 0 ? known[n / 2] : undefined) ?? honest(port)
    answers.push(await answerTo(port, request))
  }
  const note = `alone ${formatMs(quantile(alone, 0.95))}; ${await flood.end()}`
  const refused = answers.filter(({ status }) => status !== 200).length
  const p95 = quantile(
    answers.map(({ ms }) => ms),
    0.95,
  )
  return [
    goalUnder(path, p95, P95_MS, formatMs, { note }),
    { path: `  of ${answers.length} refused`, product: String(refused), goal: 'none', isMet: refused === 0 },
  ]
}

/** Sends requests back to back until it is ended. */
class Flood {
  readonly #statuses = new Map<number, number>()
  readonly #loops: Promise<void>[]
  #isOver = false

  constructor(port: number, connections: number, next: () => string) {
    this.#loops = Array.from({ length: connections }, async () => {
      const connection = new Connection(port)
      while (!this.#isOver) {
        const status = await connection.send(next())
        this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1)
      }
      connection.close()
    })
  }

  /** Returns a summary of the responses. */
  async end(): Promise<string> {
    this.#isOver = true
    await Promise.all(this.#loops)
    return `the flood got ${[...this.#statuses].map(([status, count]) => `${count} times ${status}`).join(', ')}`
  }
}

/** Builds the sign-in of a host from a unique address. */
function honest(port: number): string {
  const n = signers++
  const headers = { 'x-forwarded-for': `203.${n >> 8}.${n & 255}.1` }
  return requestText('POST', '/api/auth/host/login', {
    port,
    body: { username: SIGN_IN_HOSTS[n], password: PASSWORD },
    headers,
  })
}

async function answerTo(port: number, request: string): Promise<{ status: number; ms: number }> {
  const connection = new Connection(port)
  const began = performance.now()
  const status = await connection.send(request)
  connection.close()
  return { status, ms: performance.now() - began }
}

function wrongPasswords({ product: { port } }: Fixture): () => string {
  let count = 0
  return () => {
    const n = count++
    const headers = { 'x-forwarded-for': `2001:db8:7:${(n & 0xffff).toString(16)}::1` }
    const body = { username: `guess${n}`, password: 'a wrong one' }
    return requestText('POST', '/api/auth/host/login', { port, body, headers })
  }
}

async function rightPasswords({ product, room }: Fixture): Promise<() => string> {
  const { port } = product
  const { token } = room(ROOM)
  const users = Array.from({ length: RIGHT.users }, (_, n) => {
    const name = `flood-${n}`
    return { username: name, user_id: name, password: PASSWORD }
  })
  const imported = await http(product, 'POST', '/host/users/import', { token, body: { users } })
  if (imported.status !== 200) throw new Error(`The import was answered with ${imported.status}`)
  const host_id = (await http(product, 'GET', '/host/profile', { token })).body.data.user_id
  const requests = users.map(({ username }, n) => {
    const headers = { 'x-forwarded-for': `198.51.100.${n % RIGHT.addresses}` }
    const body = { host_id, username, password: PASSWORD, device_id: `phone-${n}`, platform: 'android' }
    return requestText('POST', '/api/mobile/login', { port, body, headers })
  })
  let count = 0
  return () => requests[count++ % requests.length] ?? ''
}
