import { PASSWORD } from '../../shared/examples.ts'
import { http } from '../../test/servers/server-process.ts'
import { type Benchmark, formatMs, type GoalResult, goalUnder } from '../benchmark.ts'
import { bringOnline, type Fixture } from '../fixtures.ts'
import { measureWaits, requestText } from '../load.ts'
import { SIGN_IN_HOSTS } from '../seed-rooms.ts'
import { compareWithArgon2, measureEmbeddedWrite, measureOnPostgres, ROUND_MS, signInsPerSecond } from '../sign-ins.ts'
import { type Comparison, interleave, measureMs, median, quantile } from '../statistics.ts'

const PEOPLE = 200
/** The room of a host who imports users while others sign in. */
const IMPORT = { people: 1, lists: 56, usersEach: 12, signIns: 42, p95Ms: 1_000 }
const P99_MS = 50
const ROUNDS = 3
/** A ratio so close to 1 that timing does not reveal which names exist. Slow-downs need more guesses than these. */
const UNKNOWN_NAME = { least: 0.7, most: 1.4, guesses: 4 }

export const logins: Benchmark = {
  name: 'logins',
  roomSizes: [PEOPLE, IMPORT.people],
  run: async (fixtures) => [
    ...(await fixtures.use(measureEmbedded)),
    await measureEmbeddedWrite(fixtures.dataDir),
    await measureOnPostgres(fixtures, 'logins over PostgreSQL (limit: argon2 verifications)'),
  ],
}

async function measureEmbedded(fixture: Fixture): Promise<GoalResult[]> {
  const { port } = fixture.product
  const room = fixture.room(PEOPLE)
  await bringOnline(fixture, room)
  const rates = await compareWithArgon2(fixture, 'logins (limit: argon2 verifications)')
  const poll = requestText('GET', '/api/host/online-users', { port, token: room.token })
  const polls = { port, requests: [poll], perSecond: 100, connections: 20, ms: ROUND_MS }
  const signIn = signInsPerSecond(port)
  const p99s: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const [{ p99 }] = await Promise.all([measureWaits(polls), signIn()])
    p99s.push(p99)
  }
  const unknown = await compareUnknownName(port, room.username)
  const waits = await signInWhileImporting(port, fixture.room(IMPORT.people).token)
  return [
    rates,
    goalUnder("polls' p99 during logins", median(p99s), P99_MS, formatMs),
    {
      path: 'a wrong password for an unknown name (limit: a known one)',
      product: formatMs(unknown.product),
      limit: formatMs(unknown.limit),
      ratio: unknown.ratio,
      goal: `${UNKNOWN_NAME.least} to ${UNKNOWN_NAME.most}`,
      isMet: unknown.ratio > UNKNOWN_NAME.least && unknown.ratio < UNKNOWN_NAME.most,
    },
    goalUnder(
      `sign-ins' p95 while a host imports ${IMPORT.lists} lists of ${IMPORT.usersEach}`,
      quantile(waits, 0.95),
      IMPORT.p95Ms,
      formatMs,
    ),
  ]
}

/** Returns each sign-in's milliseconds, four at a time; a refusal throws. */
async function signInWhileImporting(port: number, importer: string): Promise<number[]> {
  const imports = Array.from({ length: IMPORT.lists }, (_, list) => {
    const users = Array.from({ length: IMPORT.usersEach }, (_, n) => {
      const name = `list-${list}-${n}`
      return { username: name, user_id: name, password: PASSWORD }
    })
    return http({ port }, 'POST', '/host/users/import', { token: importer, body: { users } })
  })
  const waits: number[] = []
  const signInInTurn = async () => {
    for (let n = 0; n < IMPORT.signIns / 4; n++) {
      const username = SIGN_IN_HOSTS[waits.length % SIGN_IN_HOSTS.length] ?? ''
      waits.push(await measureMs(() => login(port, username, PASSWORD, 200)))
    }
  }
  await Promise.all([signInInTurn(), signInInTurn(), signInInTurn(), signInInTurn()])
  await Promise.all(imports)
  return waits
}

function compareUnknownName(port: number, known: string): Promise<Comparison> {
  const guess = (username: string) => () => measureMs(() => login(port, username, 'a wrong one', 400))
  return interleave(UNKNOWN_NAME.guesses, { limit: guess(known), product: guess('nobody') })
}

async function login(port: number, username: string, password: string, expected: number): Promise<void> {
  const { status } = await http({ port }, 'POST', '/auth/host/login', { body: { username, password } })
  if (status !== expected) throw new Error(`A sign-in was answered with ${status}`)
}
