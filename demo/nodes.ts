import { setTimeout as delay } from 'node:timers/promises'
import { ProgramEndedError } from './child.ts'
import { findFreePorts } from './free-ports.ts'
import { Node } from './node.ts'
import { NodeProxy } from './proxy.ts'
import type { RunningDemo, StartedServer } from './server.ts'
import { SharedServices } from './shared-services.ts'

/** The first port of the nodes, as an offset from the demo's own. */
const FIRST_PORT = 11
const START_AGAIN_MS = 15_000
const COUNT_EVERY_MS = 200
/** Ten seconds of counts: kept from before a node ends, and taken after, to see when all its streams are open again. */
const WATCH_COUNTS = 50

const wait = (ms: number, signal: AbortSignal) => delay(ms, true, { signal }).catch(() => false)

/** Several servers that share all state, behind a proxy at the demo's usual port. One that ends is restarted. */
export class Nodes implements RunningDemo {
  readonly ready: Promise<StartedServer>
  readonly ended: Promise<number>
  readonly #print: (line: string) => void
  readonly #shared: SharedServices
  readonly #closing = new AbortController()
  readonly #nodes: Node[] = []
  #proxy = new NodeProxy([])
  /** The recent numbers of open event streams. */
  #counts: number[] = []

  constructor(count: number, env: NodeJS.ProcessEnv, print: (line: string) => void) {
    const { promise, resolve: end } = Promise.withResolvers<number>()
    this.ended = promise
    this.#print = print
    this.#shared = new SharedServices(() => end(1))
    this.ready = this.#start(count, env)
    this.ready.catch((error) => error instanceof ProgramEndedError && end(1))
  }

  describe(): string[] {
    const rows = this.#nodes.map(({ name, port, pid }) => [name, `http://127.0.0.1:${port}`, `process ${pid}`] as const)
    const seconds = START_AGAIN_MS / 1_000
    return [
      '',
      `  ${rows.length} servers share PostgreSQL and Redis behind these addresses:`,
      ...rows.map(([name, address, process]) => `  ${name.padEnd(12)}  ${address.padEnd(22)}  ${process}`),
      `  Stop one to see the others take over; it starts again ${seconds} s later:  kill -9 ${this.#nodes.at(-1)?.pid}`,
    ]
  }

  async addHistory(hostId: string): Promise<void> {
    await this.#nodes[0]?.addHistory(hostId)
  }

  async stop(): Promise<void> {
    this.#closing.abort()
    this.#proxy.close()
    await Promise.all(this.#nodes.map((node) => node.stop()))
    await this.#shared.stop()
  }

  kill(): void {
    for (const node of this.#nodes) node.kill() // the shared services stop by themselves and remove their folder
  }

  async #start(count: number, env: NodeJS.ProcessEnv): Promise<StartedServer> {
    const port = Number(env.PORT || 3000)
    const ports = await findFreePorts(count, port + FIRST_PORT)
    this.#proxy = new NodeProxy(ports)
    await this.#proxy.listen(port, env.BIND || '127.0.0.1')
    const { settings, data_dir, emulator_origin } = await this.#shared.start(env, port)
    this.#nodes.push(...ports.map((nodePort, index) => new Node(`Node ${index + 1}`, nodePort, settings)))
    const [sites] = await Promise.all(this.#nodes.map((node) => node.start()))
    if (!sites) throw new Error('No node was started')
    for (const node of this.#nodes) void this.#keepRunning(node)
    void this.#countStreams()
    return { ...sites, data_dir, emulator_origin }
  }

  async #keepRunning(node: Node): Promise<void> {
    const { signal } = this.#closing
    for (;;) {
      await node.ended
      if (signal.aborted) return
      this.#print(`${node.name} has ended. It starts again in ${START_AGAIN_MS / 1_000} s.`)
      void this.#watchRecovery()
      if (!(await wait(START_AGAIN_MS, signal))) return
      await node.start().then(
        () => this.#print(`${node.name} is back, as process ${node.pid}.`),
        () => {}, // it has printed the reason, and is restarted
      )
    }
  }

  async #countStreams(): Promise<void> {
    do {
      this.#counts = [...this.#counts, this.#proxy.streams.reduce((sum, count) => sum + count, 0)].slice(-WATCH_COUNTS)
    } while (await wait(COUNT_EVERY_MS, this.#closing.signal))
  }

  /** Prints a line once as many streams are open as before a node ended. */
  async #watchRecovery(): Promise<void> {
    const began = performance.now()
    const before = Math.max(...this.#counts)
    for (let counts = 0; counts < WATCH_COUNTS; counts++) {
      if (!(await wait(COUNT_EVERY_MS, this.#closing.signal))) return
      if ((this.#counts.at(-1) ?? 0) < before) continue
      const each = this.#proxy.streams.map((count, index) => ({ count, name: this.#nodes[index]?.name }))
      const where = each.filter(({ count }) => count > 0).map(({ count, name }) => `${count} on ${name}`)
      const seconds = ((performance.now() - began) / 1_000).toFixed(1)
      return this.#print(`After ${seconds} s all ${before} event streams are open again: ${where.join(', ')}.`)
    }
  }
}
