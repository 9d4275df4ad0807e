import { z } from 'zod'
import { http } from '../test/server-process.ts'
import { requestText } from './connection.ts'
import { Waits } from './load-rate.ts'
import { bringOnline } from './rates.ts'
import { type Compared, interleave, quantile } from './rounds.ts'
import { inMs, type Row } from './row.ts'
import { PASSWORD } from './world.ts'

const PEOPLE = 200
/** The room of a host who adds people while others sign in. */
const BUSY = { people: 1, imports: 56, usersEach: 12, signIns: 42, p95Ms: 1_000 }
const LEAST = 0.85
const P99_MS = 50
const ROUNDS = 3
const ROUND_MS = 2_500
/** SEC-05: so near that nobody learns from it which names exist. */
const UNKNOWN_NAME = { least: 0.7, most: 1.4, guesses: 4 }

export const loginsRow: Row = {
  name: 'logins',
  rooms: [PEOPLE, BUSY.people],
  measure: (theatre) =>
    theatre.onStage(async (stage) => {
      const { load, onlooker, bare, product } = stage
      const { port } = product
      const room = stage.room(PEOPLE)
      await bringOnline(stage, room)
      const body = { username: room.username, password: PASSWORD }
      const login = requestText('POST', '/api/auth/host/login', { port, body })
      const poll = requestText('GET', '/api/host/online-users', { port, token: room.token })
      const polls = { port, requests: [poll], perSecond: 100, connections: 20, ms: ROUND_MS }
      const asked = { port, request: login, status: 200, connections: 4, ms: ROUND_MS }
      const logins = () => load.call(z.number(), 'measureClockRate', asked)
      const verifications = () => bare.remote.call(z.number(), 'verify', { password: PASSWORD, ms: ROUND_MS })
      await logins()
      const { limit, product: ours, ratio } = await interleave(ROUNDS, { limit: verifications, product: logins })
      const p99s: number[] = []
      for (let round = 0; round < ROUNDS; round++) {
        const [{ p99 }] = await Promise.all([onlooker.call(Waits, 'measureWaits', polls), logins()])
        p99s.push(p99)
      }
      const p99 = quantile(p99s, 0.5)
      const unknown = await unknownBesideKnown(port, room.username)
      const p95 = quantile(await signInWhileImporting(port, stage.room(BUSY.people).token, room.username), 0.95)
      return [
        {
          path: 'logins (limit: argon2 verifications)',
          product: `${ours.toFixed(0)}/s`,
          limit: `${limit.toFixed(0)}/s`,
          ratio,
          goal: `${LEAST.toFixed(2)} or more`,
          isMet: ratio >= LEAST,
          note: 'by the clock, since the work is done on all cores',
        },
        {
          path: "polls' p99 meanwhile",
          product: inMs(p99),
          limit: '',
          ratio: null,
          goal: `under ${P99_MS} ms`,
          isMet: p99 < P99_MS,
        },
        {
          path: 'a wrong password for an unknown name (limit: a known one)',
          product: inMs(unknown.product),
          limit: inMs(unknown.limit),
          ratio: unknown.ratio,
          goal: `${UNKNOWN_NAME.least} to ${UNKNOWN_NAME.most}`,
          isMet: unknown.ratio > UNKNOWN_NAME.least && unknown.ratio < UNKNOWN_NAME.most,
        },
        {
          path: `sign-ins' p95 while a host imports ${BUSY.imports} lists of ${BUSY.usersEach}`,
          product: inMs(p95),
          limit: '',
          ratio: null,
          goal: `under ${BUSY.p95Ms} ms, none refused`,
          isMet: p95 < BUSY.p95Ms,
        },
      ]
    }),
}

/** How long each sign-in took, in milliseconds, four at a time. */
async function signInWhileImporting(port: number, importer: string, username: string): Promise<number[]> {
  const imports = Array.from({ length: BUSY.imports }, (_, list) => {
    const users = Array.from({ length: BUSY.usersEach }, (_, n) => {
      const name = `list-${list}-${n}`
      return { username: name, user_id: name, password: PASSWORD }
    })
    return http({ port }, 'POST', '/host/users/import', { token: importer, body: { users } })
  })
  const waits: number[] = []
  const lane = async () => {
    for (let n = 0; n < BUSY.signIns / 4; n++) {
      const began = performance.now()
      const { status } = await http({ port }, 'POST', '/auth/host/login', { body: { username, password: PASSWORD } })
      if (status !== 200) throw new Error(`A sign-in beside imports was answered with ${status}`)
      waits.push(performance.now() - began)
    }
  }
  await Promise.all([lane(), lane(), lane(), lane()])
  await Promise.all(imports)
  return waits
}

/** One after the other, of each name fewer than are slowed down. */
async function unknownBesideKnown(port: number, known: string): Promise<Compared> {
  const guess = (username: string) => async () => {
    const began = performance.now()
    const body = { username, password: 'a wrong one' }
    const { status } = await http({ port }, 'POST', '/auth/host/login', { body })
    if (status !== 400) throw new Error(`A guess was answered with ${status}`)
    return performance.now() - began
  }
  return interleave(UNKNOWN_NAME.guesses, { limit: guess(known), product: guess('nobody') })
}
