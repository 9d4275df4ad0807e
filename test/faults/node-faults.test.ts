import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Phone } from '../../simulator/phone.ts'
import { type Random, seededRandom } from '../../simulator/random.ts'
import { createSchedule } from '../../simulator/schedule.ts'
import { signIn } from '../../simulator/sign-in.ts'
import { eventually } from '../eventually.ts'
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

/** Who is muted, and the version of the room: it counts changes, so servers that agree on it have applied the same ones. */
async function roomAt(node: { port: number }): Promise<{ version: string | null; mutes: Record<string, boolean> }> {
  const url = `http://127.0.0.1:${node.port}/api/host/online-users`
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  const body = await answer.json()
  if (!answer.ok || body.out_of_step) throw new Error(`The server answers ${answer.status}, or is out of step`)
  const list: { id: string; is_muted: boolean }[] = body.data.users
  return {
    version: answer.headers.get('etag'),
    mutes: Object.fromEntries(list.map((user) => [user.id, user.is_muted])),
  }
}

/** What all servers and phones show alike, once they do. */
async function agreement(): Promise<Record<string, boolean>> {
  const rooms = await Promise.all(cluster.nodes.map(roomAt))
  const obeyed = Object.fromEntries(phones.map(({ state }) => [state.id, state.is_muted]))
  const [first] = rooms
  if (!first) throw new Error('There is no server')
  for (const { version, mutes } of rooms) expect({ version, mutes }).toEqual(first)
  expect(first.mutes).toEqual(obeyed)
  return first.mutes
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

    const agreed = await eventually(agreement)
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
