import type { FastifyInstance, FastifyRequest, onResponseHookHandler } from 'fastify'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { isSameSecret } from '../../lib/secrets.ts'
import { registerGauges } from './gauges.ts'

/** Headers that a proxy on this machine adds: the request has a loopback address, but may be from another machine. */
const PROXY_HEADERS = /^(forwarded|via|x-forwarded-.*|x-real-ip|x-client-ip|true-client-ip|cf-connecting-ip)$/
const LOOPBACK = ['127.0.0.1', '::1', '::ffff:127.0.0.1']

/** Serves Prometheus. Requires METRICS_TOKEN or, if that is unset, a direct connection from this machine. */
export function serveMetrics(app: FastifyInstance, deps: Deps): void {
  const { config, metrics } = deps
  const measure = registerGauges(deps)
  const observe: onResponseHookHandler = (request, reply, done) => {
    const { url = '', config: route } = request.routeOptions
    if (!route.background)
      metrics.httpSeconds.observe(
        { route: url, method: request.method, status: reply.statusCode },
        reply.elapsedTime / 1000,
      )
    done()
  }
  app.addHook('onRoute', (route) => {
    if (route.config?.background) return // counting a poll costs as much as answering it
    route.onResponse = [observe, ...[route.onResponse ?? []].flat()]
  })

  app.get('/metrics', async (request, reply) => {
    const given = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
    const isAllowed = config.METRICS_TOKEN
      ? given !== undefined && isSameSecret(given, config.METRICS_TOKEN)
      : !config.TRUST_PROXY && LOOPBACK.includes(request.socket.remoteAddress ?? '') && !isProxied(request)
    if (!isAllowed) throw new AppError('not_found', 'There is nothing here.')
    await measure()
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics())
  })
}

function isProxied({ headers }: FastifyRequest): boolean {
  return Object.keys(headers).some((name) => PROXY_HEADERS.test(name))
}
