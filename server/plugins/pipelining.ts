import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Browsers and proxies send one call at a time on a connection. */
const MAX_WAITING = 20

/** Ends a connection on which many calls wait for the answer to an earlier one: each is in memory until its turn. */
export function limitPipelining({ server }: FastifyInstance): void {
  const waiting = new WeakMap<Socket, number>()
  server.prependListener('request', ({ socket }, response) => {
    if (response.socket) return // the answer need not wait
    const count = (waiting.get(socket) ?? 0) + 1
    waiting.set(socket, count)
    response.once('close', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1))
    if (count > MAX_WAITING) socket.destroy()
  })
}
