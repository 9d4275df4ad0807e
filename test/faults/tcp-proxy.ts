import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { forward } from './forward.ts'

export interface TcpProxy {
  port: number
  /** Returns the number of connections that are forwarded to this port. */
  countTo(port: number): number
  /** Accepts bytes but forwards none, like a network that silently drops packets. */
  stall(): void
  /** Cuts open connections, and refuses new ones. */
  cut(): void
  /** Delays all traffic by this much, each way. */
  delay(ms: number): void
  /** Cuts open connections, and forwards new ones in a different order from their arrival. */
  reorder(): void
  restore(): void
  close(): Promise<void>
}

/** The longest time that a connection waits to be overtaken. */
const LONGEST_HOLD_MS = 500

/** Forwards each connection to the first port that accepts it, rotating the starting port. */
export async function startTcpProxy(portsOf: () => number[], port = 0): Promise<TcpProxy> {
  const accepted = new Set<Socket>()
  const pairs = new Set<[Socket, Socket]>()
  /** Connections that are accepted but not yet forwarded. */
  const held: Socket[] = []
  let turn = 0
  let state: 'open' | 'stalled' | 'cut' | 'reordered' = 'open'
  let delayMs = 0

  const server = createServer((incoming) => {
    accepted.add(incoming)
    incoming.on('error', () => {}) // `close` follows
    incoming.once('close', () => accepted.delete(incoming))
    if (state === 'cut') incoming.destroy()
    else if (state === 'stalled') held.push(incoming)
    else if (state === 'open') passNext(incoming)
    else if (held.length === 0) {
      held.push(incoming)
      setTimeout(passHeld, LONGEST_HOLD_MS)
    } else {
      passNext(incoming)
      passHeld()
    }
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()

  const passNext = (incoming: Socket) => pass(incoming, rotated(portsOf(), turn++))
  const passHeld = () => {
    if (state !== 'stalled') for (const incoming of held.splice(0)) passNext(incoming)
  }

  function pass(incoming: Socket, [next, ...others]: number[]): void {
    if (next === undefined || incoming.destroyed) {
      incoming.destroy()
      return
    }
    const outgoing = connect(next, '127.0.0.1')
    outgoing.once('error', () => pass(incoming, others))
    outgoing.once('connect', () => {
      outgoing.removeAllListeners('error').on('error', () => {}) // `close` follows
      if (state === 'cut' || incoming.destroyed) {
        incoming.destroy()
        outgoing.destroy()
        return
      }
      const pair: [Socket, Socket] = [incoming, outgoing]
      const network = { delayMs: () => delayMs, isStalled: () => state === 'stalled' }
      pairs.add(pair)
      for (const socket of pair) socket.once('close', () => pairs.delete(pair))
      forward(incoming, outgoing, network)
      forward(outgoing, incoming, network)
      if (state === 'stalled') for (const socket of pair) socket.pause()
    })
  }

  function cutOpen(): void {
    for (const pair of pairs) for (const socket of pair) socket.destroy()
    for (const incoming of held.splice(0)) incoming.destroy()
  }

  return {
    port: typeof address === 'object' && address ? address.port : port,
    countTo: (to) => [...pairs].filter(([, { remotePort }]) => remotePort === to).length,
    stall() {
      state = 'stalled'
      for (const pair of pairs) for (const socket of pair) socket.pause()
    },
    cut() {
      state = 'cut'
      cutOpen()
    },
    delay(ms) {
      delayMs = ms
    },
    reorder() {
      state = 'reordered'
      cutOpen()
    },
    restore() {
      state = 'open'
      delayMs = 0
      passHeld()
      for (const pair of pairs) for (const socket of pair) socket.resume()
    },
    async close() {
      for (const socket of [...accepted, ...[...pairs].flat()]) socket.destroy()
      const closed = once(server, 'close')
      server.close()
      await closed
    },
  }
}

function rotated<T>(list: T[], by: number): T[] {
  const start = list.length > 0 ? by % list.length : 0
  return [...list.slice(start), ...list.slice(0, start)]
}
