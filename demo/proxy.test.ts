import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { freePort } from '../test/servers/free-port.ts'
import { openStream } from '../test/servers/stream.ts'
import { NodeProxy } from './proxy.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

/** A server that takes a node's place. */
async function startNode(
  respond: RequestListener,
  isReady = () => true,
): Promise<{ port: number; server: Server; urls: string[] }> {
  const urls: string[] = []
  const port = await freePort()
  const server = createServer((request, response) => {
    if (request.url === '/readyz') return response.writeHead(isReady() ? 200 : 503).end('{}')
    urls.push(`${request.method} ${request.url}`)
    respond(request, response)
  })
  await once(server.listen(port, '127.0.0.1'), 'listening')
  closers.push(() => server.close().closeAllConnections())
  return { port, server, urls }
}

async function startProxy(ports: number[]): Promise<{ origin: string; proxy: NodeProxy }> {
  const port = await freePort()
  const proxy = new NodeProxy(ports)
  await proxy.listen(port, '127.0.0.1')
  closers.push(() => proxy.close())
  return { origin: `http://127.0.0.1:${port}`, proxy }
}

const echo: RequestListener = async (request, response) => {
  const { host, 'x-forwarded-for': from } = request.headers
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ host, from, body: await text(request) }))
}
const post = (url: string, body = 'the body') => fetch(url, { method: 'POST', body })

test('passes requests to the nodes in turn, with the host name and the address of the client', async () => {
  const [one, two] = [await startNode(echo), await startNode(echo)]
  const { origin } = await startProxy([one.port, two.port])
  for (const path of ['/a', '/b', '/c', '/d']) {
    const headers = { 'x-forwarded-for': '203.0.113.7' }
    const answer = await fetch(origin + path, { method: 'POST', headers, body: 'the body' })
    const host = new URL(origin).host
    expect(await answer.json()).toEqual({ host, from: '203.0.113.7, 127.0.0.1', body: 'the body' })
  }
  expect([one.urls.length, two.urls.length]).toEqual([2, 2])
})

test('passes on statuses, headers and parts of a file', async () => {
  const { port } = await startNode((request, response) => {
    response.writeHead(206, { 'content-range': request.headers.range, 'content-length': 3, etag: '"e"' }).end('abc')
  })
  const { origin } = await startProxy([port])
  const answer = await fetch(origin, { headers: { range: 'bytes 0-2/9' } })
  expect([answer.status, answer.headers.get('content-range'), answer.headers.get('etag')]).toEqual([
    206,
    'bytes 0-2/9',
    '"e"',
  ])
  expect(await answer.text()).toBe('abc')
})

test('sends what a stopped node refuses to the next one, once', async () => {
  const running = await startNode(echo)
  const { origin } = await startProxy([await freePort(), running.port, await freePort()])
  for (let round = 0; round < 6; round++) expect(await (await post(origin)).json()).toMatchObject({ body: 'the body' })
  expect(running.urls).toHaveLength(6)
})

test('sends no new request to a node that is to stop', async () => {
  let isStopping = false
  const [stopping, running] = [await startNode(echo, () => !isStopping), await startNode(echo)]
  const { origin } = await startProxy([stopping.port, running.port])
  isStopping = true
  await expect
    .poll(async () => {
      const before = stopping.urls.length
      for (let round = 0; round < 3; round++) await post(origin)
      return stopping.urls.length - before
    })
    .toBe(0)
})

test('answers 503 in the form of the API when no node runs', async () => {
  const { origin } = await startProxy([await freePort()])
  const answer = await post(origin)
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
  expect(await answer.json()).toMatchObject({ success: false, code: 'not_ready' })
})

test('repeats elsewhere what only reads when a node ends before it answers, and nothing that may have acted', async () => {
  const ending = await startNode((request) => request.socket.destroy())
  const running = await startNode(echo)
  const { origin } = await startProxy([ending.port, running.port])
  expect((await fetch(`${origin}/read`)).status).toBe(200)
  expect((await post(`${origin}/act`)).status).toBe(200)
  expect((await post(`${origin}/act`)).status).toBe(502)
  expect(ending.urls).toEqual(['GET /read', 'POST /act'])
  expect(running.urls).toEqual(['GET /read', 'POST /act'])
})

test('passes on each event of a stream at once, counts streams, and ends both sides together', async () => {
  const { promise: closed, resolve: close } = Promise.withResolvers<void>()
  const node = await startNode((request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    response.write('id: 1\nevent: first\ndata: {}\n\n')
    if (request.url === '/left') response.once('close', close)
  })
  const { origin, proxy } = await startProxy([node.port])
  const cut = await openStream(`${origin}/cut`)
  const left = await openStream(`${origin}/left`)
  for (const stream of [cut, left]) expect(await stream.next('first')).toMatchObject({ id: '1' })
  expect(proxy.streams).toEqual([2])
  left.close()
  await closed
  node.server.closeAllConnections()
  await cut.ended
  await expect.poll(() => proxy.streams).toEqual([0])
})
