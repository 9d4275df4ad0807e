import { connect, type Socket } from 'node:net'
import { z } from 'zod'
import { Connection, requestText, statusCall } from './connection.ts'

/** How many streams are opened at a time, so that the server's queue of new connections does not overflow. */
const CONCURRENCY = 100
const BROADCAST_TIMEOUT_MS = 30_000
/** The server ends a phone's stream after 30 s without a status call. */
export const REPORT_INTERVAL_MS = 20_000

const groups = new Map<string, StreamGroup>()

const Opening = z.object({
  name: z.string(),
  port: z.number(),
  room_id: z.string().nullable(), // null at the bare server, which has no sign-in
  tokens: z.array(z.string()),
  isOfPhones: z.boolean(),
})

/** Opens one stream for each token; returns when each of them has received something. */
export async function openStreams(input: unknown): Promise<boolean> {
  const { name, port, room_id, tokens, isOfPhones } = Opening.parse(input)
  if (isOfPhones) keepReporting(port, tokens)
  const group = new StreamGroup(port)
  groups.set(name, group)
  const left = [...tokens]
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      const connection = room_id === null ? null : new Connection(port, { keepsBody: true })
      for (let token = left.pop(); token !== undefined; token = left.pop()) {
        await group.open(connection && room_id ? await fetchTicket(connection, port, room_id, token) : '/stream')
      }
      connection?.close()
    }),
  )
  return true
}

/** Sends a status call of each phone in turn, for as long as this process or the server lives. */
function keepReporting(port: number, tokens: string[]): void {
  const requests = tokens.map((token) => statusCall(port, token))
  const connection = new Connection(port)
  const began = performance.now()
  let sent = 0
  const report = () => connection.sendThen(requests[sent++ % requests.length] ?? '', next)
  const next = () => {
    const wait = began + (sent * REPORT_INTERVAL_MS) / requests.length - performance.now()
    if (wait > 1) setTimeout(report, wait)
    else report()
  }
  report()
}

/** Opens the stream of a console or phone by itself. */
export async function openStream(
  port: number,
  room_id: string,
  token: string,
  onChunk: (chunk: Buffer) => void,
): Promise<Socket> {
  const connection = new Connection(port, { keepsBody: true })
  const path = await fetchTicket(connection, port, room_id, token)
  connection.close()
  return openPath(port, path, onChunk)
}

/** Resolves when the first chunk has come; gives all others to `onChunk`. */
function openPath(port: number, path: string, onChunk: (chunk: Buffer) => void): Promise<Socket> {
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

async function fetchTicket(connection: Connection, port: number, room_id: string, token: string): Promise<string> {
  const text = requestText('POST', '/api/mobile/sse-session', { port, token, body: { room_id } })
  const answer = await connection.send(text)
  return z.object({ sseUrl: z.string() }).parse(JSON.parse(answer.body)).sseUrl
}

const Broadcast = z.object({ name: z.string(), port: z.number(), request: z.string(), marker: z.string() })

/** Sends a request that is broadcast to all streams of a group; gives the milliseconds until the last receipt. */
export async function broadcast(input: unknown): Promise<number> {
  const { name, port, request, marker } = Broadcast.parse(input)
  const group = groups.get(name)
  if (!group) throw new Error(`No streams named ${name}`)
  const connection = new Connection(port)
  const received = group.waitFor(marker)
  const began = performance.now()
  const [{ status }, last] = await Promise.all([connection.send(request), received])
  connection.close()
  if (status !== 200) throw new Error(`Answered ${status}`)
  return last - began
}

class StreamGroup {
  readonly #port: number
  #size = 0
  #marker = Buffer.alloc(0)
  #round = 0
  #missing = 0
  #onLast: (at: number) => void = () => {}

  constructor(port: number) {
    this.#port = port
  }

  async open(path: string): Promise<void> {
    let round = 0
    let tail: Buffer = Buffer.alloc(0)
    this.#size++
    await openPath(this.#port, path, (chunk) => {
      if (round === this.#round) return
      const text = tail.length > 0 ? Buffer.concat([tail, chunk]) : chunk
      if (text.includes(this.#marker)) {
        round = this.#round
        tail = Buffer.alloc(0)
        if (--this.#missing === 0) this.#onLast(performance.now())
      } else tail = text.subarray(-this.#marker.length)
    })
  }

  /** Resolves with the time of the last receipt. */
  waitFor(marker: string): Promise<number> {
    this.#marker = Buffer.from(marker)
    this.#round++
    this.#missing = this.#size
    return new Promise((resolve, reject) => {
      const fail = () => reject(new Error(`${this.#missing} streams did not receive ${marker}`))
      const timer = setTimeout(fail, BROADCAST_TIMEOUT_MS)
      this.#onLast = (at) => {
        clearTimeout(timer)
        resolve(at)
      }
    })
  }
}
