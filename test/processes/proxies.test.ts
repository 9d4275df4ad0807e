import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../eventually.ts'
import { freePort } from '../servers/free-port.ts'
import { Http2Client } from '../servers/http2-client.ts'
import { startPostgres, type TestPostgres } from '../servers/postgres.ts'
import { startProxy, type TestProxy } from '../servers/proxy.ts'
import { startRedis, type TestRedis } from '../servers/redis.ts'
import {
  type DataFolder,
  emptyDataFolder,
  http,
  MASTER,
  runServerToItsEnd,
  type ServerProcess,
  startServerProcess,
} from '../servers/server-process.ts'
import { closeStreams } from '../servers/stream.ts'
import { connectHost, type ExternalZoom, startZoomFor } from '../zoom/zoom-over-http.ts'

const ANA = { username: 'ana', email: 'ana@example.com', password: 'correct horse', subscription_type: 12 }
const BERTA = { username: 'berta', user_id: 'U000001', password: 'a lamp' }
const METRICS_TOKEN = 'the token of the metrics'
const MIB = 1024 ** 2

let postgres: TestPostgres
let redis: TestRedis
let zoom: ExternalZoom
let folder: DataFolder
let env: Record<string, string>
let nodes: ServerProcess[] = []
let hostId: string
let play: string
const proxies: TestProxy[] = []
const visitors: Http2Client[] = []

beforeAll(async () => {
  ;[postgres, redis, zoom, folder] = await Promise.all([
    startPostgres(),
    startRedis(),
    startZoomFor(await freePort()),
    emptyDataFolder(),
  ])
  env = {
    ...zoom.env,
    DATABASE_URL: postgres.urlOf('postgres'),
    REDIS_URL: redis.url,
    SECRET_KEY: 'a secret key for tests alone, 32 bytes or more',
    DATA_DIR: folder.path,
    TRUST_PROXY: 'true',
    METRICS_TOKEN,
  }
  const first = await startServerProcess(env)
  nodes = [first, await startServerProcess({ ...env, PORT: String(await freePort()) })]
  const { token, user_id } = await connectHost(first, zoom, ANA)
  hostId = user_id
  await http(first, 'POST', '/host/users', { token, body: BERTA })
  const recording = { email: ANA.email, start_time: new Date().toISOString(), duration_minutes: 600, notify: false }
  await zoom.control('/recordings', { ...recording, audio: 'opening.m4a', size_bytes: 8 * MIB })
  const listed = await http(first, 'GET', '/recordings?fetch_live=true', { token })
  play = listed.body.data.recordings[0].file_data.play_url
})
afterEach(async () => {
  await closeStreams()
  for (const visitor of visitors.splice(0)) visitor.close()
})
afterAll(async () => {
  for (const proxy of proxies) await proxy.stop()
  for (const node of nodes) await node.kill('SIGKILL')
  await zoom?.close()
  await redis?.stop()
  await postgres?.stop()
  await folder?.remove()
})

describe.each(['nginx', 'caddy'] as const)('through deploy/ of %s', (kind) => {
  let proxy: TestProxy
  beforeAll(async () => {
    proxy = await startProxy(
      kind,
      nodes.map(({ port }) => port),
    )
    proxies.push(proxy)
  })

  async function openConsole() {
    const visitor = await visit(proxy, 'host.localhost')
    const { token } = (await visitor.call('POST', '/api/auth/host/login', { body: ANA })).body.data
    const room = (await visitor.call('GET', '/api/host/online-users', { token })).body
    return { visitor, token, room }
  }

  test('a console and a phone get each event while their streams go on, and leave none behind', async () => {
    const host = await openConsole()
    const visitor = await visit(proxy, 'localhost')
    const body = { host_id: hostId, ...BERTA, device_id: 'the phone of Berta', platform: 'android' }
    const login = (await visitor.call('POST', '/api/mobile/login', { body })).body.data
    const [userId, room] = [login.user.id, { room_id: login.room.room_id }]
    const phone = { visitor, token: login.token }

    const [atConsole, atPhone] = await Promise.all(
      [host, phone].map(async ({ visitor, token }) => {
        const { sseUrl } = (await visitor.call('POST', '/api/mobile/sse-session', { token, body: room })).body
        const stream = await visitor.openStream(sseUrl)
        await stream.next('test')
        return stream
      }),
    )
    await visitor.call('POST', '/api/mobile/status', { token: login.token, body: {} })
    await atConsole?.next('user-online', { user_id: userId })

    await host.visitor.call('POST', `/api/host/users/${userId}/mute`, { token: host.token, body: {} })
    await Promise.all([atConsole, atPhone].map((stream) => stream?.next('user-mute-status', { is_muted: true })))
    await host.visitor.call('POST', `/api/host/users/${userId}/unmute`, { token: host.token, body: {} })
    await Promise.all([atConsole, atPhone].map((stream) => stream?.next('user-mute-status', { is_muted: false })))

    expect(await countStreams()).toBe(2)
    await closeStreams()
    await expect.poll(countStreams).toBe(0)
  })

  test('a long answer arrives whole', async () => {
    const visitor = await visit(proxy, 'localhost')
    const direct = await fetch(`http://127.0.0.1:${nodes[0]?.port}/api/openapi.json`)
    const { status, body } = await visitor.call('GET', '/api/openapi.json')
    expect(status).toBe(200)
    expect(JSON.stringify(body).length).toBeGreaterThan(200_000)
    expect(body).toEqual(await direct.json())
  })

  test('a part of a recording arrives as it was asked for', async () => {
    const visitor = await visit(proxy, 'host.localhost')
    const answer = await visitor.call('GET', play, { headers: { range: `bytes=${7 * MIB}-${8 * MIB - 1}` } })
    expect(answer.status).toBe(206)
    expect(answer.headers['content-range']).toBe(`bytes ${7 * MIB}-${8 * MIB - 1}/${8 * MIB}`)
    expect(answer.headers['content-length']).toBe(String(MIB))
  })

  test('the address of the caller is known, and not what it claims', async () => {
    const visitor = await visit(proxy, 'master.localhost', '127.0.0.9')
    const headers = { 'x-forwarded-for': '203.0.113.7' }
    const { token } = (await visitor.call('POST', '/api/auth/master-login', { body: MASTER, headers })).body
    const { data } = (await visitor.call('GET', '/api/admin/audit?action=master_login&limit=1', { token })).body
    expect(data.entries[0].ip).toBe('127.0.0.9')
  })

  test('another name, and the metrics, are refused', async () => {
    await expect(Http2Client.connect(proxy, 'other.localhost')).rejects.toThrow()
    const visitor = await visit(proxy, 'localhost')
    expect((await visitor.call('GET', '/healthz', { headers: { ':authority': 'other.localhost' } })).status).toBe(421)
    const metrics = await visitor.call('GET', '/metrics', { token: METRICS_TOKEN })
    expect(metrics.status).toBe(404)
  })
})

test('no request through a proxy fails while one node after the other stops and starts again', async () => {
  const [first] = nodes
  if (!first) throw new Error('There are two nodes')
  const { token } = (await http(first, 'POST', '/auth/host/login', { body: ANA })).body.data
  const { room_id } = (await http(first, 'GET', '/host/details', { token })).body
  let isOver = false
  const clients = proxies.map(async (proxy) => {
    const statuses: unknown[] = []
    let visitor = await visit(proxy, 'host.localhost')
    for (let round = 1; !isOver; round++) {
      // nginx closes a connection after 1,000 requests, and permits 2,000 at once per address.
      if (round % 400 === 0) visitor = await visit(proxy, 'host.localhost', `127.0.1.${round / 400}`)
      statuses.push((await visitor.call('GET', '/api/host/online-users', { token })).status)
      const path = '/api/mobile/host-mute-all-status'
      statuses.push((await visitor.call('POST', path, { token, body: { room_id } })).status)
    }
    return statuses
  })
  const probes = new Set<number>()
  for (const [index, node] of nodes.entries()) {
    const exited = once(node.child, 'exit')
    node.child.kill('SIGTERM')
    while (node.child.exitCode === null) probes.add(await probe(node))
    expect(await exited).toEqual([0, null])
    const again = await startServerProcess({ ...env, PORT: String(node.port) })
    nodes[index] = again
    for (const proxy of proxies) await expectUse(proxy, again, token)
  }
  isOver = true
  expect(probes).toContain(503) // a stopping node reports it, but still accepts connections
  for (const statuses of await Promise.all(clients)) {
    expect(statuses.length).toBeGreaterThan(20)
    expect([...new Set(statuses)]).toEqual([200])
  }
})

test('a server without REDIS_URL is refused beside servers that share the database', async () => {
  const { REDIS_URL: _, ...alone } = { ...env, REDIS_URL: '', PORT: String(await freePort()) }
  const { code, output } = await runServerToItsEnd(alone)
  expect([code, output]).toEqual([1, expect.stringContaining('Another server uses the database at DATABASE_URL')])
})

test('each proxy sends requests to the other node when one is gone', async () => {
  await nodes[0]?.kill('SIGKILL')
  for (const proxy of proxies) {
    const visitor = await visit(proxy, 'host.localhost')
    const poll = async () => expect((await visitor.call('GET', '/healthz')).status).toBe(200)
    await eventually(poll) // a request pending at it may fail
    for (let count = 0; count < 10; count++) await poll()
  }
})

/** Returns the status of a node's health check; 0 if it accepts no connection. */
async function probe({ port }: ServerProcess): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null)
  await answer?.body?.cancel()
  return answer?.status ?? 0
}

async function visit(proxy: TestProxy, site: string, from?: string): Promise<Http2Client> {
  const visitor = await Http2Client.connect(proxy, site, from)
  visitors.push(visitor)
  return visitor
}

/** Waits until the proxy sends requests to the node again, whose return it detects by itself. */
async function expectUse(proxy: TestProxy, node: ServerProcess, token: string): Promise<void> {
  const visitor = await visit(proxy, 'host.localhost')
  const served = () => readMetric(node, /^parley_http_request_seconds_count{.*"\/api\/host\/app-info".*} (\d+)/gm)
  const before = await served()
  await eventually(async () => {
    await visitor.call('GET', '/api/host/app-info', { token })
    expect(await served()).toBeGreaterThan(before)
  })
}

async function countStreams(): Promise<number> {
  const counts = await Promise.all(nodes.map((node) => readMetric(node, /^parley_event_streams\{.*\} (\d+)/gm)))
  return counts.reduce((sum, count) => sum + count, 0)
}

async function readMetric({ port }: ServerProcess, metric: RegExp): Promise<number> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).text()
  return [...metrics.matchAll(metric)].reduce((sum, [, count]) => sum + Number(count), 0)
}
