import { once } from 'node:events'
import { Agent, type ClientRequest, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { Failure } from '../shared/errors.ts'

const LOOPBACK = '127.0.0.1'
const PROBE_EVERY_MS = 1_000
/** Longer than a busy node takes to respond. */
const PROBE_TIMEOUT_MS = 5_000
/** Hop-by-hop headers (RFC 9110, 7.6.1). */
const OF_THE_CONNECTION = ['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'upgrade']
const UNAVAILABLE = { code: 'not_ready', message: 'No server can be reached right now. Please try again.' }
const CUT_OFF = {
  code: 'internal',
  message: 'The server stopped before it answered. Check whether it made the change.',
}

interface Backend {
  port: number
  isReady: boolean
  open: Set<ClientRequest>
  streams: number
}

/**
 * Distributes requests round-robin over nodes on this machine. A request that a node refuses goes to the next; one that
 * a node may have processed before it stopped fails, unless it only reads. A node that stops responding loses its
 * requests, and one that is not ready gets none while another is.
 */
export class NodeProxy {
  readonly #backends: Backend[]
  readonly #agent = new Agent({ keepAlive: true })
  readonly #closing = new AbortController()
  readonly #server = createServer((incoming, outgoing) => this.#forward(incoming, outgoing, this.#inTurn()))
  #turn = 0

  constructor(ports: number[]) {
    this.#backends = ports.map((port) => ({ port, isReady: true, open: new Set(), streams: 0 }))
  }

  /** The number of event streams to each node. */
  get streams(): number[] {
    return this.#backends.map(({ streams }) => streams)
  }

  async listen(port: number, bind: string): Promise<void> {
    try {
      await once(this.#server.listen(port, bind), 'listening')
    } catch (error) {
      throw new Error(`PORT=${port} is already in use. Choose a free port.`, { cause: error })
    }
    for (const backend of this.#backends) void this.#watch(backend)
  }

  close(): void {
    this.#closing.abort()
    this.#server.close()
    this.#server.closeAllConnections()
    this.#agent.destroy()
  }

  async #watch(backend: Backend): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      const probe = AbortSignal.any([signal, AbortSignal.timeout(PROBE_TIMEOUT_MS)])
      const answer = await fetch(`http://${LOOPBACK}:${backend.port}/readyz`, { signal: probe }).catch(() => null)
      await answer?.body?.cancel()
      backend.isReady = answer?.ok ?? false // false while it stops
      if (!answer) for (const onward of backend.open) onward.destroy(new Error('The node does not answer'))
      await delay(PROBE_EVERY_MS, null, { signal }).catch(() => {}) // aborted on closing
    }
  }

  #inTurn(): Backend[] {
    const first = this.#turn++ % this.#backends.length
    const all = [...this.#backends.slice(first), ...this.#backends.slice(0, first)]
    return all.toSorted((a, b) => Number(b.isReady) - Number(a.isReady))
  }

  #forward(incoming: IncomingMessage, outgoing: ServerResponse, [backend, ...others]: Backend[]): void {
    if (!backend) {
      refuse(outgoing, 503, UNAVAILABLE)
      return
    }
    const { method = 'GET', url, socket } = incoming
    const hasBody = 'transfer-encoding' in incoming.headers || Number(incoming.headers['content-length']) > 0
    const forwarded = [incoming.headers['x-forwarded-for'] ?? [], socket.remoteAddress ?? ''].flat().join(', ')
    const headers = { ...endToEnd(incoming), 'x-forwarded-for': forwarded }
    let mayRepeat = true
    const onward = request({ host: LOOPBACK, port: backend.port, method, path: url, headers, agent: this.#agent })
    backend.open.add(onward)
    const send = () => {
      mayRepeat = !hasBody && ['GET', 'HEAD'].includes(method)
      if (hasBody) incoming.pipe(onward)
      else onward.end()
    }
    onward.once('socket', (connection) => (connection.connecting ? connection.once('connect', send) : send()))
    onward.once('response', (answer) => {
      if (/^text\/event-stream/.test(answer.headers['content-type'] ?? '')) {
        backend.streams++
        answer.once('close', () => backend.streams--)
      }
      outgoing.writeHead(answer.statusCode ?? 502, endToEnd(answer))
      outgoing.flushHeaders()
      pipeline(answer, outgoing, () => {}) // if one side breaks, the other is closed
    })
    onward.once('error', () => {
      if (outgoing.headersSent || outgoing.destroyed) outgoing.destroy()
      else if (mayRepeat) this.#forward(incoming, outgoing, others)
      else refuse(outgoing, 502, CUT_OFF)
    })
    onward.once('close', () => backend.open.delete(onward))
    outgoing.once('close', () => onward.destroy())
  }
}

function endToEnd({ headers }: IncomingMessage) {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_THE_CONNECTION.includes(name)))
}

function refuse(outgoing: ServerResponse, status: number, failure: Pick<Failure, 'code' | 'message'>): void {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'retry-after': '1', connection: 'close' }
  outgoing.writeHead(status, headers).end(JSON.stringify({ success: false, ...failure } satisfies Failure))
}
