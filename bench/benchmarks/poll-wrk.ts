import { once } from 'node:events'
import { get } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { type Benchmark, type GoalResult, perSecond, ratioAtLeast } from '../benchmark.ts'
import { bringOnline, type Fixture } from '../fixtures.ts'
import { interleave } from '../statistics.ts'
import { openPhones } from '../streams.ts'
import { measureWrk } from '../wrk.ts'

const PEOPLE = 200
const PATH = '/api/host/online-users'
const WARM_UP_SECONDS = 3
const ROUNDS = 9
const ROUND_SECONDS = 1
/** Headers that Node.js adds by itself. */
const OWN_HEADERS = ['date', 'connection', 'keep-alive']

/** Polls with a third-party client, compared with a bare server that sends the same headers and bytes. */
export const pollWrk: Benchmark = {
  name: 'poll-wrk',
  roomSizes: [PEOPLE],
  run: (fixtures) =>
    fixtures.use(async (fixture) => {
      const headers = { authorization: `Bearer ${fixture.room(PEOPLE).token}` }
      const { etag } = (await answerTo(fixture, headers)).headers
      const known = { ...headers, 'if-none-match': String(etag) } // no phone reports yet, so nothing changes
      const [unchanged, list] = ['/unchanged-with-headers', '/list-with-headers']
      const first = await compare(fixture, known, { path: 'poll of wrk, unchanged (304)', bare: unchanged, goal: 0.8 })
      await bringOnline(fixture, fixture.room(PEOPLE))
      await openPhones(fixture, PEOPLE)
      return [first, await compare(fixture, headers, { path: `poll of wrk, ${PEOPLE} users`, bare: list, goal: 0.9 })]
    }),
}

async function compare(
  fixture: Fixture,
  headers: Record<string, string>,
  { path, bare, goal }: { path: string; bare: string; goal: number },
): Promise<GoalResult> {
  const answer = await answerTo(fixture, headers)
  await fixture.bare.child.run({ list: answer.body, headers: answer.sent })
  const limit = (seconds: number) => measureWrk(fixture.bare, { path: bare, headers, seconds })
  const product = (seconds: number) => measureWrk(fixture.product, { path: PATH, headers, seconds })
  await limit(WARM_UP_SECONDS)
  await product(WARM_UP_SECONDS)
  const compared = await interleave(ROUNDS, {
    limit: () => limit(ROUND_SECONDS),
    product: () => product(ROUND_SECONDS),
  })
  return ratioAtLeast(path, compared, goal, perSecond)
}

async function answerTo({ product: { port } }: Fixture, headers: Record<string, string>) {
  const [answer] = await once(get({ port, path: PATH, headers }), 'response')
  const body = (await buffer(answer)).toString()
  const sent: string[] = []
  for (let at = 0; at < answer.rawHeaders.length; at += 2) {
    const [name, value] = answer.rawHeaders.slice(at, at + 2)
    if (!OWN_HEADERS.includes(name.toLowerCase())) sent.push(name, value)
  }
  return { headers: answer.headers, sent, body }
}
