import { setTimeout as delay } from 'node:timers/promises'
import { signInPhone } from '../../simulator/sign-in.ts'
import { type Cluster, startCluster } from '../../test/faults/cluster.ts'
import { http, makeHost } from '../../test/servers/server-process.ts'
import { type Benchmark, formatMs, type GoalResult, goalUnder } from '../benchmark.ts'
import { measureMs, quantile } from '../statistics.ts'

const USER = { username: 'amina', user_id: 'U000001', password: 'a lamp' }
/** BENCH_MINUTES=0.2 shortens the run. */
const AWAY_MS = Number(process.env.BENCH_MINUTES ?? 1) * 60_000
const POLL_EVERY_MS = 20
const CALL_MS = 200
/** A server compares its rooms with the database every second, and reads missing changes twice in a row. */
const SHOWN_MS = 2_500
const BACK_MS = 10_000

/** Keeps two servers running without Redis, and starts one of them without it. */
export const redisAway: Benchmark = {
  name: 'redis-away',
  onlyWhenNamed: true,
  async run() {
    const cluster = await startCluster(2, { canFillDisks: false })
    try {
      return await measure(cluster)
    } finally {
      await cluster.close()
    }
  },
}

async function measure({ nodes, redis }: Cluster): Promise<GoalResult[]> {
  const [here, there] = nodes
  if (!here || !there) throw new Error('There are two servers')
  const made = await makeHost(here)
  const { token } = made
  await http(here, 'POST', '/host/users', { token, body: USER })
  const account = { hostId: made.user_id, username: USER.username, password: USER.password }
  const phone = await signInPhone({ baseUrl: `http://127.0.0.1:${there.port}`, ...account })
  const { id } = phone.user

  await redis.kill()
  await there.end('SIGTERM')
  await there.start()
  await phone.openStream()
  const mutedAt = async (node: { port: number }) =>
    (await http(node, 'GET', '/host/online-users', { token })).body.data.users[0]?.is_muted
  const [polls, mutes, shows]: [number[], number[], number[]] = [[], [], []]
  const over = performance.now() + AWAY_MS
  const poll = async () => {
    while (performance.now() < over) {
      polls.push(await measureMs(() => http(there, 'GET', '/host/online-users', { token })))
      await delay(POLL_EVERY_MS)
    }
  }
  const mute = async () => {
    for (let isMuted = true; performance.now() < over; isMuted = !isMuted) {
      const path = `/host/users/${id}/${isMuted ? 'mute' : 'unmute'}`
      mutes.push(await measureMs(() => expectDone(http(here, 'POST', path, { token }))))
      shows.push(await measureMs(() => until(async () => (await mutedAt(there)) === isMuted)))
    }
  }
  await Promise.all([poll(), mute()])
  phone.close()
  await redis.start()
  const inStep = async () => {
    const answers = await Promise.all(nodes.map((node) => http(node, 'GET', '/host/online-users', { token })))
    return answers.every(({ body }) => !body.out_of_step)
  }
  const back = await measureMs(() => until(inStep))
  return [
    goalUnder(
      `Redis away for ${AWAY_MS / 1_000} s, and at a start: polls, p95`,
      quantile(polls, 0.95),
      CALL_MS,
      formatMs,
    ),
    goalUnder('mutes during this, p95', quantile(mutes, 0.95), CALL_MS, formatMs),
    goalUnder('a mute is in the other server’s polled list within', Math.max(...shows), SHOWN_MS, formatMs),
    goalUnder('once it is back, all are in step within', back, BACK_MS, formatMs),
  ]
}

async function expectDone(answer: Promise<{ status: number }>): Promise<void> {
  const { status } = await answer
  if (status !== 200) throw new Error(`Answered ${status}`)
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await delay(POLL_EVERY_MS)
}
