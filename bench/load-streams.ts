import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { Connection, requestText } from './connection.ts'

/** Streams that are opened at the same time, so that neither side's queue of new connections runs over. */
const AT_ONCE = 100
const PATIENCE_MS = 30_000
/** A phone that is silent for longer than half a minute is taken for gone, and its stream is ended. */
export const REPORT_EVERY_MS = 20_000

/** Stands in a request for what is another each time. */
export const ONCE = '{once}'

/** Held streams by the name that the row gives them. */
const crowds = new Map<string, StreamCrowd>()

const Opening = z.object({
  name: z.string(),
  port: z.number(),
  room_id: z.string().nullable(), // null at the bare server, where nobody signs in
  tokens: z.array(z.string()),
  isOfPhones: z.boolean(),
})

/** Opens one stream for each token, as a phone does; returns when all of them have heard something. */
export async function openStreams(input: unknown): Promise<boolean> {
  const { name, port, room_id, tokens, isOfPhones } = Opening.parse(input)
  if (isOfPhones) keepReporting(port, tokens)
  const crowd = new StreamCrowd(port)
  crowds.set(name, crowd)
  const left = [...tokens]
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      const asking = room_id === null ? null : new Connection(port, { keepsBody: true })
      for (let token = left.pop(); token !== undefined; token = left.pop()) {
        await crowd.open(asking && room_id ? await ticket(asking, port, room_id, token) : '/stream')
      }
      asking?.close()
    }),
  )
  return true
}

/** Each phone in its turn, for as long as this process or the server lives. */
function keepReporting(port: number, tokens: string[]): void {
  const requests = tokens.map((token) => requestText('POST', '/api/mobile/status', { port, token, body: {} }))
  const connection = new Connection(port)
  const began = performance.now()
  let sent = 0
  const report = () => connection.askThen(requests[sent++ % requests.length] ?? '', next)
  const next = () => {
    const wait = began + (sent * REPORT_EVERY_MS) / requests.length - performance.now()
    if (wait > 1) setTimeout(report, wait)
    else report()
  }
  report()
}

/** One stream by itself, for who wants to read it. */
export async function openStream(
  port: number,
  room_id: string,
  token: string,
  onChunk: (chunk: Buffer) => void,
): Promise<Connection> {
  const asking = new Connection(port, { keepsBody: true })
  const path = await ticket(asking, port, room_id, token)
  asking.close()
  const stream = new Connection(port)
  stream.socket.removeAllListeners('data')
  stream.socket.write(requestText('GET', path, { port }))
  await new Promise((resolve) => stream.socket.once('data', resolve))
  stream.socket.on('data', onChunk)
  return stream
}

async function ticket(asking: Connection, port: number, room_id: string, token: string): Promise<string> {
  const text = requestText('POST', '/api/mobile/sse-session', { port, token, body: { room_id } })
  const answer = await asking.ask(text)
  return z.object({ sseUrl: z.string() }).parse(JSON.parse(answer.body)).sseUrl
}

const Telling = z.object({ name: z.string(), port: z.number(), request: z.string(), marker: z.string() })

/** Asks for something that all streams are to hear of; gives the milliseconds until the last of them has. */
export async function tellAll(input: unknown): Promise<number> {
  const { name, port, request, marker } = Telling.parse(input)
  const crowd = crowds.get(name)
  if (!crowd) throw new Error(`No streams named ${name}`)
  const asking = new Connection(port)
  const heard = crowd.hear(marker)
  const began = performance.now()
  const once = request.replace(ONCE, randomUUID())
  const [{ status }, last] = await Promise.all([asking.ask(once), heard])
  asking.close()
  if (status !== 200) throw new Error(`Answered ${status}`)
  return last - began
}

class StreamCrowd {
  readonly #port: number
  readonly #streams: Connection[] = []
  #marker = Buffer.alloc(0)
  #round = 0
  #missing = 0
  #last = 0
  #onLast: () => void = () => {}

  constructor(port: number) {
    this.#port = port
  }

  open(path: string): Promise<void> {
    const stream = new Connection(this.#port)
    const { socket } = stream
    this.#streams.push(stream)
    socket.removeAllListeners('data')
    socket.write(requestText('GET', path, { port: this.#port }))
    return new Promise((resolve, reject) => {
      socket.once('error', reject)
      socket.once('close', () => reject(new Error('A stream was closed')))
      socket.once('data', () => {
        let round = 0
        let tail: Buffer = Buffer.alloc(0)
        socket.on('data', (chunk: Buffer) => {
          if (round === this.#round) return
          const text = tail.length > 0 ? Buffer.concat([tail, chunk]) : chunk
          if (text.includes(this.#marker)) {
            round = this.#round
            tail = Buffer.alloc(0)
            this.#heard()
          } else tail = text.subarray(-this.#marker.length)
        })
        resolve()
      })
    })
  }

  /** Resolves with the time at which the last stream has heard this. */
  hear(marker: string): Promise<number> {
    this.#marker = Buffer.from(marker)
    this.#round++
    this.#missing = this.#streams.length
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${this.#missing} never heard ${marker}`)), PATIENCE_MS)
      this.#onLast = () => {
        clearTimeout(timer)
        resolve(this.#last)
      }
    })
  }

  #heard(): void {
    this.#last = performance.now()
    if (--this.#missing === 0) this.#onLast()
  }
}
