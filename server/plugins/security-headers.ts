import fastifyHelmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../deps.ts'
import { apiHeaders } from '../lib/api-headers.ts'
import { PROBES } from './health.ts'

/** On the whole server, because an unknown address below /api/ is answered outside the API's scope. */
export function setApiHeaders(app: FastifyInstance, { config }: Deps): void {
  const headers = apiHeaders(config)
  app.addHook('onRequest', ({ url }, reply, done) => {
    if (url.startsWith('/api/') || PROBES.includes(url) || url === '/metrics') reply.headers(headers)
    done()
  })
}

/** Not the clipboard: credentials are copied to it. */
const UNUSED_FEATURES = ['camera', 'microphone', 'display-capture', 'geolocation', 'payment', 'usb', 'serial', 'midi']
const PERMISSIONS_POLICY = UNUSED_FEATURES.map((feature) => `${feature}=()`).join(', ')

export async function setPageHeaders(pages: FastifyInstance, { config }: Deps): Promise<void> {
  const isHttps = config.PUBLIC_URL.startsWith('https:')
  await pages.register(fastifyHelmet, {
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
    crossOriginOpenerPolicy: false, // set page by page: the page that Zoom's popup returns to must keep its opener
    crossOriginEmbedderPolicy: false,
    strictTransportSecurity: isHttps ? { maxAge: 31_536_000 } : false,
    referrerPolicy: { policy: 'no-referrer' },
  })
  pages.addHook('onRequest', (_request, reply, done) => {
    reply.header('permissions-policy', PERMISSIONS_POLICY) // helmet has no option for it
    done()
  })
}
