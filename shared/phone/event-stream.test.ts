import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { random } from './backoff.ts'
import { followEvents } from './event-stream.ts'
import { createSchedule } from './schedule.ts'

test('resumes a lost stream after its last event', async () => {
  const asked: (string | undefined)[] = []
  const server = createServer((request, response) => {
    const lastEventId = request.headers['last-event-id']
    asked.push(lastEventId?.toString())
    response.writeHead(asked.length === 3 ? 503 : 200, { 'content-type': 'text/event-stream' })
    if (asked.length === 1)
      response.write(': a comment\n\nid: 1\r\ndata: fi', () => {
        response.write('rst\r\n\r\nid: 2\ndata: cut off\n', () => response.destroy())
      })
    else if (asked.length === 2) response.end('id: 2\ndata: second\n\ndata: without an id\n\n')
    else if (asked.length === 3) response.end()
    else response.end('id: 3\ndata: third\n\n')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const leaving = new AbortController()
  const received: string[] = []

  const schedule = { ...createSchedule(), wait: async (_ms: number, signal?: AbortSignal) => !signal?.aborted }
  await followEvents({
    url: `http://127.0.0.1:${port}/`,
    signal: leaving.signal,
    schedule,
    random,
    onEvent: ({ data }) => {
      received.push(data)
      if (data === 'third') leaving.abort()
    },
  })
  server.close()

  expect(received).toEqual(['first', 'second', 'without an id', 'third'])
  expect(asked).toEqual([undefined, '1', '2', '2'])
})

test('opens a stream again that a server has not let arrive in time', async () => {
  let asked = 0
  const server = createServer((_request, response) => {
    asked += 1
    if (asked === 1) response.writeHead(408, { connection: 'close' }).end()
    else response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: here\n\n')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const leaving = new AbortController()
  const refusedWith = await followEvents({
    url: `http://127.0.0.1:${port}/`,
    signal: leaving.signal,
    schedule: { ...createSchedule(), wait: async () => true },
    random,
    onEvent: () => leaving.abort(),
  })
  server.close()

  expect([refusedWith, asked]).toEqual([null, 2])
})

test('does not retry a refused stream', async () => {
  let asked = 0
  const server = createServer((_request, response) => {
    asked += 1
    response.writeHead(404).end()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo

  const refusedWith = await followEvents({
    url: `http://127.0.0.1:${port}/`,
    signal: new AbortController().signal,
    schedule: createSchedule(),
    random,
    onEvent: () => {},
  })
  server.close()

  expect(refusedWith).toBe(404)
  expect(asked).toBe(1)
})

test('opens a stream that was one too many when it may, with the same address', async () => {
  const waits: number[] = []
  const urls: (string | undefined)[] = []
  const server = createServer(({ url }, response) => {
    urls.push(url)
    if (urls.length === 1) response.writeHead(429, { 'retry-after': '42' }).end()
    else response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: here\n\n')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const leaving = new AbortController()
  await followEvents({
    url: `http://127.0.0.1:${port}/one`,
    signal: leaving.signal,
    schedule: { ...createSchedule(), wait: async (ms) => waits.push(ms) > 0 },
    random,
    onEvent: () => leaving.abort(),
  })
  server.close()

  expect(waits).toEqual([42_000])
  expect(urls).toEqual(['/one', '/one'])
})
