import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'

/**
 * Logs the route's pattern, never the URL, which may contain a ticket or a signature. Background routes have no hook,
 * because a poll costs little more than one; they are logged when they fail. What is refused before sign-in is for
 * debugging alone: the audit and the metrics count it.
 */
export function logRequests(app: FastifyInstance, { log }: Deps): void {
  const isDebugging = log.level === 'debug' || log.level === 'trace'
  const logResponse = (request: FastifyRequest, reply: FastifyReply) => {
    const { config, url } = request.routeOptions
    const { statusCode, failure } = reply
    // Too frequent calls are refused as busy as well: an outsider must not raise an alarm.
    const isFault = statusCode >= 500 && failure !== 'busy'
    const isOutsider = statusCode >= 400 && !request.session // who must not fill the log
    const level = isFault ? 'error' : config.background || !url || isOutsider ? 'debug' : 'info'
    if (level === 'debug' && !isDebugging) return
    const { id, method, ip } = request
    const by = request.session?.role ?? null
    const ms = Math.round(reply.elapsedTime) // 0 without an onResponse hook
    request.log[level]({ reqId: id, method, route: url ?? null, status: statusCode, ms, by, ip }, 'request')
  }
  app.addHook('onRoute', (route) => {
    if (route.config?.background && !isDebugging)
      route.onError = [
        (request, reply, _error, done) => {
          reply.raw.once('finish', () => logResponse(request, reply))
          done()
        },
        ...[route.onError ?? []].flat(),
      ]
    else
      route.onResponse = [
        (request, reply, done) => {
          logResponse(request, reply)
          done()
        },
        ...[route.onResponse ?? []].flat(),
      ]
  })
}
