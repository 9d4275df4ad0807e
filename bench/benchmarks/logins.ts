import { http } from '../../test/server-process.ts'
import { atLeast, type Benchmark, inMs, under } from '../benchmark.ts'
import { bringOnline } from '../fixtures.ts'
import { Connection, measureRate, measureWaits, requestText } from '../load.ts'
import { PASSWORD } from '../seed-rooms.ts'
import { type Compared, interleave, median, quantile, timed } from '../statistics.ts'

const PEOPLE = 200
/** The room of a host who adds people while others sign in. */
const IMPORT = { people: 1, lists: 56, usersEach: 12, signIns: 42, p95Ms: 1_000 }
const P99_MS = 50
const ROUNDS = 3
const ROUND_MS = 2_500
/** So near to 1 that the time does not reveal which names exist. Fewer guesses than are slowed down. */
const UNKNOWN_NAME = { least: 0.7, most: 1.4, guesses: 4 }

export const logins: Benchmark = {
  name: 'logins',
  roomSizes: [PEOPLE, IMPORT.people],
  run: (fixtures) =>
    fixtures.use(async (fixture) => {
      const { port } = fixture.product
      const room = fixture.room(PEOPLE)
      await bringOnline(fixture, room)
      const login = requestText('POST', '/api/auth/host/login', {
        port,
        body: { username: room.username, password: PASSWORD },
      })
      const connections = Array.from({ length: 4 }, () => new Connection(port))
      const clock = () => performance.now() / 1000
      const signIn = () => measureRate(connections, login, { status: 200, ms: ROUND_MS, clock })
      const verify = () => fixture.bare.child.run({ password: PASSWORD, ms: ROUND_MS })
      await signIn()
      const rates = await interleave(ROUNDS, { limit: verify, product: signIn })

      const poll = requestText('GET', '/api/host/online-users', { port, token: room.token })
      const polls = { port, requests: [poll], perSecond: 100, connections: 20, ms: ROUND_MS }
      const p99s: number[] = []
      for (let round = 0; round < ROUNDS; round++) {
        const [{ p99 }] = await Promise.all([measureWaits(polls), signIn()])
        p99s.push(p99)
      }
      const unknown = await compareUnknownName(port, room.username)
      const waits = await signInWhileImporting(port, fixture.room(IMPORT.people).token, room.username)
      const importing = `sign-ins' p95 while a host imports ${IMPORT.lists} lists of ${IMPORT.usersEach}`
      const note = 'by the clock, since the work is done on all cores'
      return [
        atLeast('logins (limit: argon2 verifications)', rates, 0.85, (rate) => `${rate.toFixed(0)}/s`, note),
        under("polls' p99 during logins", median(p99s), P99_MS, inMs),
        {
          path: 'a wrong password for an unknown name (limit: a known one)',
          product: inMs(unknown.product),
          limit: inMs(unknown.limit),
          ratio: unknown.ratio,
          goal: `${UNKNOWN_NAME.least} to ${UNKNOWN_NAME.most}`,
          isMet: unknown.ratio > UNKNOWN_NAME.least && unknown.ratio < UNKNOWN_NAME.most,
        },
        under(importing, quantile(waits, 0.95), IMPORT.p95Ms, inMs),
      ]
    }),
}

/** The milliseconds of each sign-in, four at a time; a refused one throws. */
async function signInWhileImporting(port: number, importer: string, username: string): Promise<number[]> {
  const imports = Array.from({ length: IMPORT.lists }, (_, list) => {
    const users = Array.from({ length: IMPORT.usersEach }, (_, n) => {
      const name = `list-${list}-${n}`
      return { username: name, user_id: name, password: PASSWORD }
    })
    return http({ port }, 'POST', '/host/users/import', { token: importer, body: { users } })
  })
  const waits: number[] = []
  const signInInTurn = async () => {
    for (let n = 0; n < IMPORT.signIns / 4; n++) waits.push(await timed(() => login(port, username, PASSWORD, 200)))
  }
  await Promise.all([signInInTurn(), signInInTurn(), signInInTurn(), signInInTurn()])
  await Promise.all(imports)
  return waits
}

function compareUnknownName(port: number, known: string): Promise<Compared> {
  const guess = (username: string) => () => timed(() => login(port, username, 'a wrong one', 400))
  return interleave(UNKNOWN_NAME.guesses, { limit: guess(known), product: guess('nobody') })
}

async function login(port: number, username: string, password: string, expected: number): Promise<void> {
  const { status } = await http({ port }, 'POST', '/auth/host/login', { body: { username, password } })
  if (status !== expected) throw new Error(`A sign-in was answered with ${status}`)
}
