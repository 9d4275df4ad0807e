import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import pLimit from 'p-limit'
import { z } from 'zod'
import { quantile } from './statistics.ts'

/**
 * A keep-alive connection with one request at a time. It reads only as much of a response as it must, so that the load
 * costs less than the server: autocannon, which parses each response, gets half the rate out of the same server, and
 * its ratios would reflect its own cost.
 */
export class Connection {
  readonly #socket: Socket
  #status = 0
  #missing = 0
  #answer: PromiseWithResolvers<number> | null = null

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true })
    this.#socket.on('data', (chunk: Buffer) => this.#read(chunk))
    this.#socket.on('error', (error) => this.#answer?.reject(error))
    this.#socket.on('close', () => this.#answer?.reject(new Error('The server closed the connection')))
  }

  /** Resolves with the status. */
  send(request: string | Buffer): Promise<number> {
    this.#answer = Promise.withResolvers<number>()
    this.#socket.write(request, (error) => error && this.#answer?.reject(error)) // the only report of a closed socket
    return this.#answer.promise
  }

  close(): void {
    this.#answer = null
    this.#socket.destroy()
  }

  #read(chunk: Buffer): void {
    if (this.#missing > 0) this.#missing -= chunk.length
    else this.#readHead(chunk)
    if (this.#missing === 0) this.#answer?.resolve(this.#status)
  }

  #readHead(chunk: Buffer): void {
    const head = chunk.toString('latin1', 0, chunk.indexOf('\r\n\r\n') + 4)
    this.#status = Number(head.slice(9, 12))
    const length = this.#status === 304 ? '0' : /content-length: (\d+)/i.exec(head)?.[1]
    if (length === undefined) this.#answer?.reject(new Error(`An answer without its length: ${head}`))
    this.#missing = Number(length) - (chunk.length - head.length)
  }
}

type RequestOptions = { port: number; token?: string; body?: unknown; headers?: Record<string, string> }

/** Formats a request with the headers that a browser sends with its poll. */
export function requestText(method: string, path: string, { port, token, body, headers }: RequestOptions): string {
  const content = body === undefined ? '' : JSON.stringify(body)
  const lines = {
    host: `127.0.0.1:${port}`,
    'user-agent':
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36',
    accept: 'application/json',
    ...(token && { authorization: `Bearer ${token}` }),
    ...(body !== undefined && { 'content-type': 'application/json', 'content-length': String(content.length) }),
    ...headers,
  }
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${head.join('')}\r\n${content}`
}

export function statusCall(port: number, token = '', body: object = {}): string {
  return requestText('POST', '/api/mobile/status', { port, token, body })
}

/** Returns responses per second of `clock`, while each connection sends requests back to back. */
export async function measureRate(
  connections: Connection[],
  request: string | (() => string),
  { status, ms, clock }: { status: number; ms: number; clock: () => number },
): Promise<number> {
  const bytes = typeof request === 'string' ? Buffer.from(request) : request
  let answers = 0
  let isOver = false
  const loops = connections.map(async (connection) => {
    for (; !isOver; answers++) {
      const answered = await connection.send(typeof bytes === 'function' ? bytes() : bytes)
      if (answered !== status) throw new Error(`Answered ${answered} instead of ${status}`)
    }
  })
  const all = Promise.all(loops)
  await Promise.race([all, delay(20)]) // until all requests are pending
  const [before, began] = [answers, clock()]
  await Promise.race([all, delay(ms)])
  const rate = (answers - before) / (clock() - began)
  isOver = true
  await all
  return rate
}

export interface WaitTimes {
  p50: number
  p99: number
  count: number
  refused: number
}
type Pace = { port: number; requests: string[]; perSecond: number; connections: number; ms: number }

/** Sends the requests in rotation at a steady rate, whatever the responses. Each wait counts from its due time. */
export async function measureWaits({ port, requests, perSecond, connections, ms }: Pace): Promise<WaitTimes> {
  const idle = Array.from({ length: connections }, () => new Connection(port))
  const turn = pLimit(connections)
  const waits: number[] = []
  const running = new Set<Promise<void>>()
  let refused = 0
  let isFailed = false
  const send = async (request: string, due: number) => {
    const connection = idle.shift() ?? new Connection(port) // rotates, so that none is closed as idle
    if ((await connection.send(request)) >= 400) refused++
    waits.push(performance.now() - due)
    idle.push(connection)
  }
  const began = performance.now()
  for (let count = 0; count < (ms / 1000) * perSecond && !isFailed; count++) {
    const due = began + (count / perSecond) * 1000
    while (performance.now() < due) await delay(1)
    const sent = turn(send, requests[count % requests.length] ?? '', due)
    running.add(sent)
    sent.then(
      () => running.delete(sent),
      () => {
        isFailed = true
      },
    )
  }
  await Promise.all(running)
  for (const connection of idle) connection.close()
  return { p50: quantile(waits, 0.5), p99: quantile(waits, 0.99), count: waits.length, refused }
}

/** Opens a stream session and returns the stream's address. */
export async function fetchStreamPath(port: number, room_id: string, token: string): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/mobile/sse-session`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ room_id }),
  })
  return z.object({ sseUrl: z.string() }).parse(await answer.json()).sseUrl
}

/** Resolves at the first chunk; passes all others to `onChunk`. */
export function openSocketStream(port: number, path: string, onChunk: (chunk: Buffer) => void): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  socket.write(requestText('GET', path, { port }))
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('A stream was closed')))
    socket.once('data', () => {
      socket.on('data', onChunk)
      resolve(socket)
    })
  })
}
