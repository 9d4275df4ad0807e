import { createServer, type RequestListener, type Server } from 'node:http'
import fastifyHelmet from '@fastify/helmet'
import fastify, { type FastifyInstance, LogController } from 'fastify'
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import type { Deps } from './deps.ts'
import { AppError } from './errors.ts'
import { logoUploadRoutes, serveLogos } from './features/app-info/logo/routes.ts'
import { appInfoRoutes } from './features/app-info/routes.ts'
import { attendanceRoutes } from './features/attendance/routes.ts'
import { hostAuditRoutes, masterAuditRoutes } from './features/audit/routes.ts'
import { dashboardRoutes } from './features/dashboard/routes.ts'
import { hostProfileRoutes } from './features/hosts/host-routes.ts'
import { masterHostRoutes } from './features/hosts/master-routes.ts'
import { hostSubscriptionRoutes, masterSubscriptionRoutes } from './features/hosts/subscription-routes.ts'
import { liveRoomRoutes, streamRoutes } from './features/live-room/routes.ts'
import { hostLogoutRoutes, loginRoutes, sessionRoutes } from './features/login/routes.ts'
import { joinTicketRoutes } from './features/phones/join-ticket-routes.ts'
import { phoneLoginRoutes, phoneRoutes } from './features/phones/routes.ts'
import { mediaRoutes, recordingRoutes } from './features/recordings/routes.ts'
import { roomUserRoutes } from './features/room-users/routes.ts'
import { recordingControlRoutes } from './features/rooms/recording-control-routes.ts'
import { roomRoutes } from './features/rooms/routes.ts'
import { oauthCallbackRoutes, oauthMasterRoutes } from './features/zoom-accounts/oauth-routes.ts'
import { webhookRoutes } from './features/zoom-accounts/webhook-routes.ts'
import { answerHeaders, PROBES, setAnswerHeaders } from './lib/answer-headers.ts'
import { OwnNames } from './plugins/allowed-hosts.ts'
import { auditRefusedAccess } from './plugins/audit-refused-access.ts'
import { serveConsole } from './plugins/console-pages/console-pages.ts'
import { handleErrors, refuseBadAddresses, refuseBrokenRequests } from './plugins/error-handler.ts'
import { healthRoutes } from './plugins/health.ts'
import { answerRepeats } from './plugins/idempotency.ts'
import { parseJsonBodies } from './plugins/json-body.ts'
import { serveMetrics } from './plugins/metrics.ts'
import { gatherRoutes } from './plugins/openapi/document.ts'
import { openapiRoutes } from './plugins/openapi/routes.ts'
import { answerReadyCalls } from './plugins/ready-calls.ts'

/** The whole server short of listening: tests inject requests into it. */
export async function buildApp(deps: Deps): Promise<FastifyInstance> {
  const names = new OwnNames(deps.config)
  const app = fastify({
    serverFactory: (handle) => serverOf(handle, answerReadyCalls(deps, names)),
    loggerInstance: deps.log,
    trustProxy: deps.config.TRUST_PROXY && isProxyInFront,
    bodyLimit: 1024 * 1024,
    return503OnClosing: true,
    routerOptions: { maxParamLength: 300 },
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (logger) => logger, // the two lines that need the request's id name it themselves
    forceCloseConnections: true,
    frameworkErrors: refuseBadAddresses(answerHeaders(deps.config)),
    clientErrorHandler: refuseBrokenRequests,
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.decorateRequest('session', null)
  parseJsonBodies(app)
  handleErrors(app, answerHeaders(deps.config))
  logRequests(app, deps)
  await gatherRoutes(app, deps)
  serveMetrics(app, deps)
  setAnswerHeaders(app, deps.config)
  refuseOtherNames(app, names)
  refuseUndeclaredRoutes(app)

  await app.register(healthRoutes(deps))
  await app.register(
    async (api) => {
      answerRepeats(api, deps)
      auditRefusedAccess(api, deps)
      const routes = [
        loginRoutes,
        sessionRoutes,
        hostLogoutRoutes,
        masterHostRoutes,
        masterAuditRoutes,
        masterSubscriptionRoutes,
        oauthMasterRoutes,
        oauthCallbackRoutes,
        webhookRoutes,
        hostProfileRoutes,
        hostSubscriptionRoutes,
        hostAuditRoutes,
        attendanceRoutes,
        dashboardRoutes,
        appInfoRoutes,
        logoUploadRoutes,
        roomRoutes,
        recordingControlRoutes,
        roomUserRoutes,
        recordingRoutes,
        mediaRoutes,
        phoneLoginRoutes,
        phoneRoutes,
        joinTicketRoutes,
        liveRoomRoutes,
        streamRoutes,
        openapiRoutes,
      ]
      for (const plugin of routes) await api.withTypeProvider<ZodTypeProvider>().register(plugin(deps))
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

/** The one that has connected, and nobody that it was told of: what a caller says of itself stands further down. */
const isProxyInFront = (_address: string, hop: number) => hop === 0

function serverOf(handle: RequestListener, answer: ReturnType<typeof answerReadyCalls>): Server {
  const server = createServer((request, response) => answer(request, response, () => handle(request, response)))
  server.keepAliveTimeout = 72_000 // longer than that of the proxies in front
  server.requestTimeout = 30_000
  return server
}

/** By the route's pattern, never by the address itself, which may carry a ticket or a signature. */
function logRequests(app: FastifyInstance, { log }: Deps): void {
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

/** What the console never asks a browser for. Not its clipboard: credentials are copied to it. */
const UNUSED = ['camera', 'microphone', 'display-capture', 'geolocation', 'payment', 'usb', 'serial', 'midi']

async function setPageHeaders(app: FastifyInstance, { config }: Deps): Promise<void> {
  const isHttps = config.PUBLIC_URL.startsWith('https:')
  await app.register(fastifyHelmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        mediaSrc: ["'self'"],
        connectSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    crossOriginOpenerPolicy: false, // set page by page: the return page of a popup must keep its opener
    crossOriginEmbedderPolicy: false,
    strictTransportSecurity: isHttps ? { maxAge: 31_536_000 } : false,
    referrerPolicy: { policy: 'no-referrer' },
  })
  const policy = UNUSED.map((feature) => `${feature}=()`).join(', ')
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('permissions-policy', policy)
    done()
  })
}

/** A request under a name that is not ours is refused, so that no address is ever built from it; a NUL in one is too. */
function refuseOtherNames(app: FastifyInstance, names: OwnNames): void {
  app.addHook('onRequest', ({ url, headers: { host } }, _reply, done) => {
    if (url.includes('%00')) return done(new AppError('malformed', 'This address is malformed.')) // no text can hold it
    done(names.has(host) || PROBES.includes(url) ? undefined : misdirected())
  })
}

function misdirected(): AppError {
  return new AppError('misdirected', 'This server answers to its own names only; set PUBLIC_URL if it has another.')
}

/** A route that does not say who may call it stops the start. */
function refuseUndeclaredRoutes(app: FastifyInstance): void {
  const undeclared: string[] = []
  const routes: { url: string; access: () => unknown }[] = []
  app.addHook('onRoute', (route) => {
    if (route.url.startsWith('/api/'))
      routes.push({ url: `${route.method} ${route.url}`, access: () => route.config?.access })
  })
  app.addHook('onReady', async () => {
    for (const { url, access } of routes) if (!access()) undeclared.push(url)
    if (undeclared.length > 0) throw new Error(`Routes that do not say who may call them: ${undeclared.join(', ')}`)
  })
}
