import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { Connection } from './connection.ts'
import { cpuSeconds } from './cpu-time.ts'
import { type Compared, interleave, quantile } from './statistics.ts'

const Side = z.object({ pid: z.number(), port: z.number(), request: z.string(), status: z.number() })
const Comparison = z.object({
  limit: Side,
  product: Side,
  connections: z.number(),
  warmUpMs: z.number(),
  rounds: z.number(),
  ms: z.number(),
})

/** Answers per second of each server's own CPU time, one server at a time in short turns. */
export async function compareRates(input: unknown): Promise<Compared> {
  const { limit, product, connections, warmUpMs, rounds, ms } = Comparison.parse(input)
  const [bare, ours] = [new Clients(limit, connections), new Clients(product, connections)]
  await bare.rate(warmUpMs)
  await ours.rate(warmUpMs)
  const compared = await interleave(rounds, { limit: () => bare.rate(ms), product: () => ours.rate(ms) })
  bare.close()
  ours.close()
  return compared
}

const ClockRate = Side.omit({ pid: true }).extend({ connections: z.number(), ms: z.number() })

/** The same by the clock, for what keeps more than the server's own thread busy. */
export async function measureClockRate(input: unknown): Promise<number> {
  const { connections, ms, ...side } = ClockRate.parse(input)
  const clients = new Clients({ ...side, pid: 0 }, connections)
  const rate = await clients.rate(ms)
  clients.close()
  return rate
}

/** Each sends its request again as soon as it is answered. */
class Clients {
  readonly #side: z.infer<typeof Side>
  readonly #connections: Connection[]
  readonly #request: Buffer
  #answers = 0
  #wrongStatus = 0
  #isOver = true

  constructor(side: z.infer<typeof Side>, connections: number) {
    this.#side = side
    this.#request = Buffer.from(side.request)
    this.#connections = Array.from({ length: connections }, () => new Connection(side.port))
  }

  async rate(ms: number): Promise<number> {
    const { pid, status } = this.#side
    this.#isOver = false
    const loops = this.#connections.map((connection) => this.#loop(connection))
    await delay(20) // all of them are under way
    const [answers, began] = [this.#answers, cpuSeconds(pid)]
    await delay(ms)
    const rate = (this.#answers - answers) / (cpuSeconds(pid) - began)
    this.#isOver = true
    await Promise.all(loops)
    if (this.#wrongStatus) throw new Error(`Answered ${this.#wrongStatus} instead of ${status}`)
    return rate
  }

  #loop(connection: Connection): Promise<void> {
    return new Promise((resolve) => {
      const send = () =>
        connection.sendThen(this.#request, ({ status }) => {
          this.#answers++
          if (status !== this.#side.status) this.#wrongStatus = status
          if (this.#isOver) resolve()
          else send()
        })
      send()
    })
  }

  close(): void {
    for (const connection of this.#connections) connection.close()
  }
}

const Paced = z.object({
  port: z.number(),
  requests: z.array(z.string()),
  perSecond: z.number(),
  connections: z.number(),
  ms: z.number(),
})
export const Waits = z.object({ p50: z.number(), p99: z.number(), count: z.number(), refused: z.number() })
export type Waits = z.infer<typeof Waits>

/** Sends the requests in turn at a steady pace, whatever the answers do; each wait counts from when it was due. */
export async function measureWaits(input: unknown): Promise<Waits> {
  const { port, requests, perSecond, connections, ms } = Paced.parse(input)
  const idle = Array.from({ length: connections }, () => new Connection(port))
  const all = [...idle]
  const due: number[] = []
  const waits: number[] = []
  let refused = 0
  const sendDue = () => {
    while (due.length > 0 && idle.length > 0) {
      const since = due.shift() ?? 0
      const connection = idle.shift() // by turns, so that none is closed for lying idle
      connection?.sendThen(requests[waits.length % requests.length] ?? '', ({ status }) => {
        if (status >= 400) refused++
        waits.push(performance.now() - since)
        idle.push(connection)
        sendDue()
      })
    }
  }
  const began = performance.now()
  let count = 0
  while (performance.now() - began < ms) {
    const wanted = ((performance.now() - began) / 1000) * perSecond
    for (; count < wanted; count++) due.push(performance.now())
    sendDue()
    await delay(1)
  }
  while (idle.length < all.length) await delay(5)
  for (const connection of all) connection.close()
  return { p50: quantile(waits, 0.5), p99: quantile(waits, 0.99), count: waits.length, refused }
}
