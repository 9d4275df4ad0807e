import type { FastifyInstance } from 'fastify'
import { withRequestId } from '../lib/logger.ts'

/**
 * Adds the id to every answer, and to every line that a request logs. Polls and streams write their own headers and log
 * nothing but failures, so they do without the context.
 */
export function sendRequestIds(app: FastifyInstance): void {
  app.addHook('onRequest', ({ id, routeOptions }, reply, done) => {
    reply.header('x-request-id', id)
    if (routeOptions.config.background) done()
    else withRequestId(id, done)
  })
}
