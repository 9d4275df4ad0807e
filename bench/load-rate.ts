import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { Connection } from './connection.ts'
import { cpuSeconds } from './cpu-time.ts'
import { type Compared, interleave, quantile } from './rounds.ts'

const Side = z.object({ pid: z.number(), port: z.number(), request: z.string(), status: z.number() })
const Contest = z.object({
  limit: Side,
  product: Side,
  connections: z.number(),
  warmUpMs: z.number(),
  rounds: z.number(),
  ms: z.number(),
})

/**
 * Asks one of two servers at a time, in short turns, as fast as its answers come; gives how often it answers in a second
 * of its own CPU time.
 */
export async function compareRates(input: unknown): Promise<Compared> {
  const { limit, product, connections, warmUpMs, rounds, ms } = Contest.parse(input)
  const [bare, ours] = [new Crowd(limit, connections), new Crowd(product, connections)]
  await bare.rate(warmUpMs)
  await ours.rate(warmUpMs)
  const compared = await interleave(rounds, { limit: () => bare.rate(ms), product: () => ours.rate(ms) })
  bare.leave()
  ours.leave()
  return compared
}

const Asked = Side.omit({ pid: true }).extend({ connections: z.number(), ms: z.number() })

/** The same by the clock, for what keeps more than the server's own thread busy. */
export async function measureClockRate(input: unknown): Promise<number> {
  const { connections, ms, ...side } = Asked.parse(input)
  const crowd = new Crowd({ ...side, pid: 0 }, connections)
  const rate = await crowd.rate(ms)
  crowd.leave()
  return rate
}

/** Keep-alive connections that each ask again as soon as they are answered. */
class Crowd {
  readonly #side: z.infer<typeof Side>
  readonly #connections: Connection[]
  readonly #request: Buffer
  #answered = 0
  #wrong = 0
  #isOver = true

  constructor(side: z.infer<typeof Side>, connections: number) {
    this.#side = side
    this.#request = Buffer.from(side.request)
    this.#connections = Array.from({ length: connections }, () => new Connection(side.port))
  }

  async rate(ms: number): Promise<number> {
    const { pid, status } = this.#side
    this.#isOver = false
    const asking = this.#connections.map((connection) => this.#keepAsking(connection))
    await delay(20) // all of them are under way
    const [answered, began] = [this.#answered, cpuSeconds(pid)]
    await delay(ms)
    const rate = (this.#answered - answered) / (cpuSeconds(pid) - began)
    this.#isOver = true
    await Promise.all(asking)
    if (this.#wrong) throw new Error(`Answered ${this.#wrong} instead of ${status}`)
    return rate
  }

  #keepAsking(connection: Connection): Promise<void> {
    return new Promise((resolve) => {
      const ask = () =>
        connection.askThen(this.#request, ({ status }) => {
          this.#answered++
          if (status !== this.#side.status) this.#wrong = status
          if (this.#isOver) resolve()
          else ask()
        })
      ask()
    })
  }

  leave(): void {
    for (const connection of this.#connections) connection.close()
  }
}

export const Paced = z.object({
  port: z.number(),
  requests: z.array(z.string()),
  perSecond: z.number(),
  connections: z.number(),
  ms: z.number(),
})
export const Waits = z.object({ p50: z.number(), p99: z.number(), count: z.number(), refused: z.number().optional() })

/** Asks one of the requests after the other at a steady pace whatever the answers do, as people do; each wait counts from when its turn had come. */
export async function measureWaits(input: unknown): Promise<z.infer<typeof Waits>> {
  const { port, requests, perSecond, connections, ms } = Paced.parse(input)
  const idle = Array.from({ length: connections }, () => new Connection(port))
  const all = [...idle]
  const due: number[] = []
  const waits: number[] = []
  let refused = 0
  const serve = () => {
    while (due.length > 0 && idle.length > 0) {
      const since = due.shift() ?? 0
      const connection = idle.shift() // by turns, so that none is closed for lying idle
      connection?.askThen(requests[waits.length % requests.length] ?? '', ({ status }) => {
        if (status >= 400) refused++
        waits.push(performance.now() - since)
        idle.push(connection)
        serve()
      })
    }
  }
  const began = performance.now()
  let asked = 0
  while (performance.now() - began < ms) {
    const wanted = ((performance.now() - began) / 1000) * perSecond
    for (; asked < wanted; asked++) due.push(performance.now())
    serve()
    await delay(1)
  }
  while (idle.length < all.length) await delay(5)
  for (const connection of all) connection.close()
  return { p50: quantile(waits, 0.5), p99: quantile(waits, 0.99), count: waits.length, refused }
}
