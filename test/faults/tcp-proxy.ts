import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export interface TcpProxy {
  port: number
  /** Takes bytes and passes none on, as a network that drops packets without a word. */
  stall(): void
  /** Cuts what is open, and refuses what is new. */
  cut(): void
  restore(): void
  close(): Promise<void>
}

/** Passes connections on to the first of the ports that accepts one, beginning with another one each time. */
export async function startTcpProxy(portsOf: () => number[], port = 0): Promise<TcpProxy> {
  const accepted = new Set<Socket>()
  const pairs = new Set<[Socket, Socket]>()
  /** Accepted while nothing is passed on. */
  const held: Socket[] = []
  let turn = 0
  let state: 'open' | 'stalled' | 'cut' = 'open'

  const server = createServer((incoming) => {
    accepted.add(incoming)
    incoming.on('error', () => {}) // `close` follows
    incoming.once('close', () => accepted.delete(incoming))
    if (state === 'cut') incoming.destroy()
    else if (state === 'open') pass(incoming, rotated(portsOf(), turn++))
    else held.push(incoming)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()

  function pass(incoming: Socket, [next, ...others]: number[]): void {
    if (next === undefined || incoming.destroyed) {
      incoming.destroy()
      return
    }
    const outgoing = connect(next, '127.0.0.1')
    outgoing.once('error', () => (outgoing.connecting || outgoing.bytesRead === 0) && pass(incoming, others))
    outgoing.once('connect', () => {
      outgoing.removeAllListeners('error').on('error', () => {}) // `close` follows
      const pair: [Socket, Socket] = [incoming, outgoing]
      pairs.add(pair)
      for (const [from, to] of [pair, [outgoing, incoming] as const]) {
        from.pipe(to)
        from.once('close', () => {
          to.destroy()
          pairs.delete(pair)
        })
      }
      if (state === 'stalled') stallPair(pair)
    })
  }

  return {
    port: typeof address === 'object' && address ? address.port : port,
    stall() {
      state = 'stalled'
      for (const pair of pairs) stallPair(pair)
    },
    cut() {
      state = 'cut'
      for (const [incoming, outgoing] of pairs) {
        incoming.destroy()
        outgoing.destroy()
      }
    },
    restore() {
      state = 'open'
      for (const incoming of held.splice(0)) pass(incoming, rotated(portsOf(), turn++))
      for (const [incoming, outgoing] of pairs) {
        incoming.pipe(outgoing)
        outgoing.pipe(incoming)
      }
    },
    async close() {
      for (const socket of [...accepted, ...[...pairs].flat()]) socket.destroy()
      const closed = once(server, 'close')
      server.close()
      await closed
    },
  }
}

function stallPair([incoming, outgoing]: [Socket, Socket]): void {
  incoming.unpipe(outgoing).pause()
  outgoing.unpipe(incoming).pause()
}

function rotated<T>(list: T[], by: number): T[] {
  const start = list.length > 0 ? by % list.length : 0
  return [...list.slice(start), ...list.slice(0, start)]
}
