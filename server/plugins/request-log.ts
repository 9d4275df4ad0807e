import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { MINUTE_MS } from '../../shared/dates.ts'
import type { Deps } from '../deps.ts'
import { actorKeyOf } from '../features/auth/guards.ts'
import { boundedCache } from '../lib/bounded-cache.ts'
import { createThrottledReporter } from '../lib/throttled-reporter.ts'

/** More than a person makes who works in a console. */
const LINES_A_MINUTE = 120

/**
 * Logs the route's pattern, never the URL, which may contain a ticket or a signature. Background routes have no hook,
 * because a poll costs little more than one; they are logged when they fail. Calls before sign-in, calls refused for
 * their number, and more of one account than a person makes are for debugging alone, since they could fill the disk: the
 * audit and the metrics count them. While the database is away, one line stands for all such calls of some seconds.
 */
export function logRequests(app: FastifyInstance, { log, now }: Deps): void {
  const recent = boundedCache<{ lines: number }>(now, MINUTE_MS)
  const isOverLimit = (request: FastifyRequest) => {
    const account = actorKeyOf(request)
    const known = recent.get(account)
    if (known) return ++known.lines > LINES_A_MINUTE
    recent.set(account, { lines: 1 })
    return false
  }
  const isDebugging = log.level === 'debug' || log.level === 'trace'
  const reportOutage = createThrottledReporter(
    ({ request, fields }: { request: FastifyRequest; fields: object }, times) =>
      request.log.error({ ...fields, times }, 'request'),
  )
  const logResponse = (request: FastifyRequest, reply: FastifyReply) => {
    const { config, url } = request.routeOptions
    const { statusCode, failure } = reply
    const isTooMany = failure === 'busy' || failure === 'too_many'
    const isFault = statusCode >= 500 && !isTooMany
    const isQuiet = config.background || !url || isTooMany || !request.session
    const level = isFault ? 'error' : isQuiet || isOverLimit(request) ? 'debug' : 'info'
    if (level === 'debug' && !isDebugging) return
    const { id, method, ip } = request
    const by = request.session?.role ?? null
    const ms = Math.round(reply.elapsedTime) // 0 without an onResponse hook
    const fields = { reqId: id, method, route: url ?? null, status: statusCode, ms, by, ip }
    if (failure === 'not_ready' && !by) reportOutage({ request, fields })
    else request.log[level](fields, 'request')
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
