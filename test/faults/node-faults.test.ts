import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Phone } from '../../simulator/phone.ts'
import { type Random, seededRandom } from '../../simulator/random.ts'
import { createSchedule } from '../../simulator/schedule.ts'
import { signIn } from '../../simulator/sign-in.ts'
import { http, signInMaster } from '../server-process.ts'
import { openStream } from '../stream.ts'
import { type Cluster, type Node, startCluster } from './cluster.ts'
import { ConsoleRecord } from './console-record.ts'
import { History } from './history.ts'
import { stopwatch } from './stopwatch.ts'

const HOST = { username: 'ana', email: 'ana@example.com', password: 'correct horse', subscription_type: 12 }
const PHONES = 12
const WRITERS = 3
/** How long the room is used before and during each fault. */
const USED_MS = 1_500
const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 3)
const SEED = process.env.FAULT_SEED ?? String(Math.floor(Math.random() * 2 ** 31))

let cluster: Cluster
let token: string
let users: { id: string; username: string }[]
let phones: Phone[]
const schedule = createSchedule()

beforeAll(async () => {
  cluster = await startCluster(3)
  const made = await http(cluster, 'POST', '/admin/hosts/integrate', { token: await signInMaster(cluster), body: HOST })
  token = (await http(cluster, 'POST', '/auth/host/login', { body: HOST })).body.data.token
  const logins = Array.from({ length: PHONES }, (_, n) => ({
    username: `u${n}`,
    user_id: `U${n + 100}`,
    password: 'lamp',
  }))
  await http(cluster, 'POST', '/host/users/import', { token, body: { users: logins } })
  users = (await http(cluster, 'GET', '/host/users', { token })).body.data.users
  phones = await Promise.all(
    logins.map(({ username, password }) =>
      signIn({
        baseUrl: `http://127.0.0.1:${cluster.port}`,
        hostId: made.body.data.user_id,
        username,
        password,
        schedule,
      }),
    ),
  )
  await Promise.all(phones.map((phone) => phone.openStream()))
})
afterAll(async () => {
  for (const phone of phones ?? []) phone.close()
  schedule.close()
  await cluster?.close()
})

/** Each of them heals what it breaks. */
const FAULTS: Record<string, (cluster: Cluster, node: Node) => Promise<void>> = {
  'a server is killed': async (_, node) => {
    await node.end('SIGKILL')
    await delay(USED_MS)
    await node.start()
  },
  'a server is stopped': async (_, node) => {
    await node.end('SIGTERM')
    await node.start()
  },
  'a server is frozen': async (_, node) => {
    node.signal('SIGSTOP')
    await delay(2 * USED_MS)
    node.signal('SIGCONT')
  },
  'Redis is killed': async ({ redis }) => {
    await redis.kill()
    await delay(USED_MS)
    await redis.start()
  },
  'Redis is frozen': async ({ redis }) => {
    redis.pause()
    await delay(2 * USED_MS)
    redis.resume()
  },
  'a server is cut off from Redis': async (_, { redisLink }) => {
    redisLink.cut()
    await delay(USED_MS)
    redisLink.restore()
  },
  'what a server and Redis send each other is lost': async (_, { redisLink }) => {
    redisLink.stall()
    await delay(2 * USED_MS)
    redisLink.restore()
  },
  'PostgreSQL crashes': ({ postgres }) => postgres.restart('crash'),
}

/** Mutes and unmutes users and all, until it is stopped. */
function keepWriting(random: Random, histories: Map<string, History>) {
  const counts = { acknowledged: 0, unknown: 0 }
  let isOver = false
  const writers = Array.from({ length: WRITERS }, async (_, index) => {
    const own = random.fork(String(index))
    while (!isOver) {
      const isMuted = own.next() < 0.5
      const user = own.next() < 0.1 ? null : own.pick(users)
      const of = user ? [histories.get(user.id)] : [...histories.values()]
      const path = user
        ? `/host/users/${user.id}/${isMuted ? 'mute' : 'unmute'}`
        : `/host/trigger-bulk-mute/${isMuted ? 'mute' : 'unmute'}`
      const acknowledge = of.map((history) => history?.begin(isMuted))
      const answer = await http(cluster, 'POST', path, { token }).catch(() => null)
      if (answer?.status === 200) for (const one of acknowledge) one?.()
      counts[answer?.status === 200 ? 'acknowledged' : 'unknown']++
      await delay(own.between(200, 400)) // as fast as the limits allow
    }
  })
  return {
    counts,
    async end() {
      isOver = true
      await Promise.all(writers)
    },
  }
}

/** Follows all events, over one stream after the other, until it is stopped. */
function keepListening() {
  const record = new ConsoleRecord()
  let isOver = false
  let current: Awaited<ReturnType<typeof openStream>> | null = null
  const listening = (async () => {
    while (!isOver) {
      try {
        const { room_id } = (await http(cluster, 'GET', '/host/details', { token })).body
        const { body } = await http(cluster, 'POST', '/mobile/sse-session', { token, body: { room_id } })
        const stream = await openStream(`http://127.0.0.1:${cluster.port}${body.sseUrl}`, record.lastId ?? undefined)
        current = stream
        if (isOver) stream.close()
        const { id } = await stream.next('test')
        record.open(id)
        await stream.ended
        for (const event of stream.received.slice(1)) record.receive(event.id)
      } catch {
        await delay(50) // the server was just not there
      }
    }
  })()
  return {
    record,
    async end() {
      isOver = true
      current?.close()
      await listening
    },
  }
}

async function mutesAt(node: { port: number }): Promise<Record<string, boolean>> {
  const { status, body } = await http(node, 'GET', '/host/online-users', { token })
  if (status !== 200 || body.out_of_step) throw new Error(`The server answers ${status}, or is out of step`)
  return Object.fromEntries(body.data.users.map((user: { id: string; is_muted: boolean }) => [user.id, user.is_muted]))
}

test(`what was acknowledged lasts, and all agree, whatever fails (FAULT_SEED=${SEED})`, {
  timeout: (ROUNDS + 3) * 60_000,
}, async () => {
  const random = seededRandom(SEED)
  const histories = new Map(users.map(({ id }) => [id, new History(false)]))
  const listeners = [keepListening(), keepListening()]
  const names = Object.keys(FAULTS)
  let order: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    if (order.length === 0) order = names.toSorted(() => random.next() - 0.5)
    const name = order.pop() ?? ''
    const writing = keepWriting(random.fork(`round ${round}`), histories)
    await delay(USED_MS)
    await FAULTS[name]?.(cluster, random.pick(cluster.nodes) as Node)
    const sinceHealed = stopwatch()
    await delay(USED_MS)
    await writing.end()
    expect(writing.counts.acknowledged, name).toBeGreaterThan(0)

    const everyone = users.map(({ id }) => id).toSorted()
    const agreed = await expect
      .poll(
        async () => {
          const views = await Promise.all(cluster.nodes.map(mutesAt))
          const obeyed = Object.fromEntries(phones.map(({ state }) => [state.id, state.is_muted]))
          return [...views, obeyed].map((view) => JSON.stringify(everyone.map((id) => view[id] ?? null)))
        },
        { message: `${name}: servers and phones agree` },
      )
      .toSatisfy((views: string[]) => new Set(views).size === 1 && !views[0]?.includes('null'))
      .then(() => mutesAt(cluster.nodes[0] as Node))
    process.stdout.write(
      `${name}: ${writing.counts.acknowledged} acknowledged, ${writing.counts.unknown} without an answer, ` +
        `all agree ${Math.round(sinceHealed() - USED_MS)} ms after the last write\n`,
    )
    for (const [id, history] of histories)
      expect([name, id, history.mayEndWith(agreed[id] ?? false)]).toEqual([name, id, true])
  }
  for (const listener of listeners) await listener.end()
  expect(listeners.map(({ record }) => record.faults)).toEqual([[], []])
  expect(phones.map(({ state }) => state.ended)).toEqual(phones.map(() => null))
})
