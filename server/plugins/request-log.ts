import type { FastifyInstance } from 'fastify'
import type { Deps } from '../deps.ts'

/** Logs the route's pattern, never the URL, which may carry a ticket or a signature. */
export function logRequests(app: FastifyInstance, { log }: Deps): void {
  const isDebugging = log.level === 'debug' || log.level === 'trace'
  app.addHook('onResponse', (request, reply, done) => {
    const { config, url } = request.routeOptions
    const level = reply.statusCode >= 500 ? 'error' : config.background || !url ? 'debug' : 'info'
    if (level === 'debug' && !isDebugging) return done()
    const { id, method, ip } = request
    const by = request.session?.role ?? null
    const ms = Math.round(reply.elapsedTime)
    request.log[level]({ reqId: id, method, route: url ?? null, status: reply.statusCode, ms, by, ip }, 'request')
    done()
  })
}
