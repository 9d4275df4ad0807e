import fastify, { type FastifyInstance, LogController } from 'fastify'
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import type { Deps } from './deps.ts'
import { serveLogos } from './features/app-info/logo/routes.ts'
import { apiHeaders } from './lib/api-headers.ts'
import { NO_AJV } from './lib/no-ajv.ts'
import { requestIdFrom } from './lib/request-id.ts'
import { requireAllowedHost } from './plugins/allowed-hosts.ts'
import { auditRefusedAccess } from './plugins/audit-refused-access.ts'
import { requireConfirmation } from './plugins/confirmation.ts'
import { limitConnections } from './plugins/connection-limit.ts'
import { serveConsole } from './plugins/console-pages/console-pages.ts'
import { requireDeclaredAccess } from './plugins/declared-access.ts'
import { handleErrors, refuseMalformedRequests, refuseMalformedUrls } from './plugins/error-handler.ts'
import { healthRoutes } from './plugins/health.ts'
import { replayRepeatedCalls } from './plugins/idempotency.ts'
import { parseJsonBodies } from './plugins/json-body.ts'
import { limitLargeBodies } from './plugins/large-bodies.ts'
import { serveMetrics } from './plugins/metrics/metrics.ts'
import { collectRoutes } from './plugins/openapi/document.ts'
import { limitPipelining } from './plugins/pipelining.ts'
import { limitRates } from './plugins/rate-limit.ts'
import { logRequests } from './plugins/request-log.ts'
import { setApiHeaders, setPageHeaders } from './plugins/security-headers.ts'
import { takeTurns } from './plugins/turns.ts'
import { limitUnreadAnswers } from './plugins/unread-answers.ts'
import { limitWrites } from './plugins/write-limit.ts'
import { API_ROUTES } from './routes.ts'

/** Builds the whole server without listening. Tests inject requests into it. */
export async function buildApp(deps: Deps): Promise<FastifyInstance> {
  const app = fastify({
    keepAliveTimeout: 72_000, // longer than that of the proxies in front
    requestTimeout: 30_000,
    http: {
      connectionsCheckingInterval: 5_000, // otherwise the time-out above is looked at every 30 s
      headersTimeout: 30_000, // Node would give the larger one to the whole request
    },
    trustProxy: deps.config.TRUST_PROXY && isProxyInFront,
    bodyLimit: 1024 * 1024,
    return503OnClosing: false, // serve requests that still arrive through an open connection
    requestIdHeader: false,
    genReqId: requestIdFrom(deps.config),
    routerOptions: { maxParamLength: 300 },
    schemaController: NO_AJV,
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: () => deps.log, // with `loggerInstance` Fastify would time every request, even polls
    forceCloseConnections: 'idle',
    frameworkErrors: refuseMalformedUrls(apiHeaders(deps.config)),
    clientErrorHandler: refuseMalformedRequests,
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.decorateRequest('session', null)
  setApiHeaders(app, deps)
  parseJsonBodies(app)
  handleErrors(app, apiHeaders(deps.config))
  logRequests(app, deps)
  app.server.prependListener('request', (_request, response) => {
    if (deps.stopping.aborted) response.shouldKeepAlive = false
    deps.metrics.polls.arrived(response)
  })
  limitConnections(app.server)
  limitPipelining(app)
  limitUnreadAnswers(app)
  collectRoutes(app)
  serveMetrics(app, deps)
  requireAllowedHost(app, deps)
  requireDeclaredAccess(app)
  await limitRates(app, deps)

  await app.register(healthRoutes(deps))
  await app.register(
    async (api) => {
      limitLargeBodies(api)
      limitWrites(api, deps)
      requireConfirmation(api, deps)
      replayRepeatedCalls(api, deps)
      auditRefusedAccess(api, deps)
      takeTurns(api)
      for (const routes of API_ROUTES) await api.withTypeProvider<ZodTypeProvider>().register(routes(deps))
    },
    { prefix: '/api' },
  )
  await app.register(async (pages) => {
    await setPageHeaders(pages, deps)
    serveLogos(pages, deps)
    await serveConsole(pages, deps)
  })
  return app
}

/** Trusts only the proxy that connected to us: earlier entries of X-Forwarded-For come from the client. */
const isProxyInFront = (_address: string, hop: number) => hop === 0
