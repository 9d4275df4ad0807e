import fastifyHelmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../deps.ts'
import { apiHeaders } from '../lib/api-headers.ts'
import { withRequestId } from '../lib/logger.ts'
import { siteOf } from '../lib/sites.ts'
import { PROBE_PATHS } from './health.ts'
import { pagePolicies } from './page-policies.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The answer has its headers from its sender, as polls do: setting them here costs a tenth of a poll. */
    sendsOwnHeaders?: boolean
  }
}

/**
 * Covers the whole server, because an unknown URL below /api/ is answered outside the API's scope. Adds the request's
 * id to every answer, and to every line that it logs. Background calls log nothing but failures, so they do without the
 * context.
 */
export function setApiHeaders(app: FastifyInstance, { config }: Deps): void {
  const headers = apiHeaders(config)
  app.addHook('onRequest', ({ id, url, routeOptions }, reply, done) => {
    const { background, sendsOwnHeaders } = routeOptions.config
    if (sendsOwnHeaders) return done()
    reply.header('x-request-id', id)
    if (url.startsWith('/api/') || PROBE_PATHS.includes(url) || url === '/metrics') reply.headers(headers)
    if (background) done()
    else withRequestId(id, done)
  })
}

export async function setPageHeaders(pages: FastifyInstance, { config }: Deps): Promise<void> {
  const isHttps = config.PUBLIC_URL.startsWith('https:')
  await pages.register(fastifyHelmet, {
    global: false, // set below, by site
    crossOriginOpenerPolicy: false, // set per page: the page to which Zoom's popup returns must keep its opener
    crossOriginEmbedderPolicy: false,
    strictTransportSecurity: isHttps ? { maxAge: 31_536_000 } : false,
    referrerPolicy: { policy: 'no-referrer' },
  })
  const policyOf = pagePolicies(config)
  pages.addHook('onRequest', async ({ url, headers: { host } }, reply) => {
    const site = siteOf(config, host) ?? 'public'
    const { directives, permissions } = policyOf(site, url)
    await reply.helmet({
      contentSecurityPolicy: { useDefaults: false, directives },
      ...(site === 'meeting' && { xFrameOptions: false }), // its value cannot name other origins; frame-ancestors does
    })
    reply.header('permissions-policy', permissions) // helmet has no option for it
  })
}
