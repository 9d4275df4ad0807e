import fastifyHelmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../deps.ts'
import { apiHeaders } from '../lib/api-headers.ts'
import { siteOf } from '../lib/sites.ts'
import { PROBE_PATHS } from './health.ts'
import { pagePolicies } from './page-policies.ts'

/** Covers the whole server, because an unknown URL below /api/ is answered outside the API's scope. */
export function setApiHeaders(app: FastifyInstance, { config }: Deps): void {
  const headers = apiHeaders(config)
  app.addHook('onRequest', ({ url }, reply, done) => {
    if (url.startsWith('/api/') || PROBE_PATHS.includes(url) || url === '/metrics') reply.headers(headers)
    done()
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
  const policies = pagePolicies(config)
  pages.addHook('onRequest', async ({ headers: { host } }, reply) => {
    const site = siteOf(config, host) ?? 'public'
    const { directives, permissions } = policies[site]
    await reply.helmet({
      contentSecurityPolicy: { useDefaults: false, directives },
      ...(site === 'meeting' && { xFrameOptions: false }), // its value cannot name other origins; frame-ancestors does
    })
    reply.header('permissions-policy', permissions) // helmet has no option for it
  })
}
