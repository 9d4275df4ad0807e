import fastifyHelmet from '@fastify/helmet'
import fastify, { type FastifyInstance, LogController } from 'fastify'
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import { appInfoRoutes } from './app-info/routes.ts'
import { hostLogoutRoutes, loginRoutes, sessionRoutes } from './auth/routes.ts'
import { serveConsole } from './console-page.ts'
import { dashboardRoutes } from './dashboard/routes.ts'
import type { Deps } from './deps.ts'
import { AppError } from './errors.ts'
import { healthRoutes } from './health-routes.ts'
import { hostProfileRoutes } from './hosts/host-routes.ts'
import { masterHostRoutes } from './hosts/master-routes.ts'
import { handleErrors } from './http-errors.ts'
import { answerRepeats } from './idempotency.ts'
import { parseJsonBodies } from './json-body.ts'
import { phoneLoginRoutes, phoneRoutes } from './mobile/routes.ts'
import { mediaRoutes, recordingRoutes } from './recordings/routes.ts'
import { liveRoomRoutes, streamRoutes } from './room-events/routes.ts'
import { roomUserRoutes } from './room-users/routes.ts'
import { roomRoutes } from './rooms/routes.ts'
import { siteOf } from './sites.ts'
import { hostSubscriptionRoutes, masterSubscriptionRoutes } from './subscriptions/routes.ts'
import { oauthCallbackRoutes, oauthMasterRoutes } from './zoom/oauth-routes.ts'
import { webhookRoutes } from './zoom/webhook-routes.ts'

/** The whole server short of listening: tests inject requests into it. */
export async function buildApp(deps: Deps): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: deps.log,
    trustProxy: deps.config.TRUST_PROXY,
    bodyLimit: 1024 * 1024,
    requestTimeout: 30_000,
    return503OnClosing: true,
    routerOptions: { maxParamLength: 300 },
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: true,
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.decorateRequest('session', null)
  parseJsonBodies(app)
  handleErrors(app)
  logRequests(app)
  await setPageHeaders(app, deps)
  refuseOtherNames(app, deps)
  refuseUndeclaredRoutes(app)

  await app.register(healthRoutes(deps))
  await app.register(
    async (api) => {
      api.addHook('onSend', async (_request, reply) => {
        if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
      })
      answerRepeats(api, deps)
      const routes = [
        loginRoutes,
        sessionRoutes,
        hostLogoutRoutes,
        masterHostRoutes,
        masterSubscriptionRoutes,
        oauthMasterRoutes,
        oauthCallbackRoutes,
        webhookRoutes,
        hostProfileRoutes,
        hostSubscriptionRoutes,
        dashboardRoutes,
        appInfoRoutes,
        roomRoutes,
        roomUserRoutes,
        recordingRoutes,
        mediaRoutes,
        phoneLoginRoutes,
        phoneRoutes,
        liveRoomRoutes,
        streamRoutes,
      ]
      for (const plugin of routes) await api.withTypeProvider<ZodTypeProvider>().register(plugin(deps))
    },
    { prefix: '/api' },
  )
  await serveConsole(app, deps)
  return app
}

/** By the route's pattern, never by the address itself, which may carry a ticket or a signature. */
function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const { config, url } = request.routeOptions
    const level = reply.statusCode >= 500 ? 'error' : config.background || !url ? 'debug' : 'info'
    const by = request.session?.role ?? null
    const ms = Math.round(reply.elapsedTime)
    request.log[level](
      { method: request.method, route: url ?? null, status: reply.statusCode, ms, by, ip: request.ip },
      'request',
    )
  })
}

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
}

/** A request under a name that is not ours is refused, so that no address is ever built from it. */
function refuseOtherNames(app: FastifyInstance, { config }: Deps): void {
  app.addHook('onRequest', async (request) => {
    const isProbe = ['/healthz', '/readyz', '/metrics'].includes(request.url)
    if (isProbe || siteOf(config, request.headers.host)) return
    throw new AppError('misdirected', `This server answers to its own names only; set PUBLIC_URL if it has another.`)
  })
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
