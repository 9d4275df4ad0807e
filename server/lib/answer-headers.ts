import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'

/** What an answer that is no page needs, so that a browser neither keeps it nor takes it for one. */
export function answerHeaders(config: Pick<Config, 'PUBLIC_URL'>): Record<string, string> {
  const isHttps = config.PUBLIC_URL.startsWith('https:')
  return {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    ...(isHttps && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
  }
}

/** The same few lines for each, worked out once; a route that needs another value sets its own over them. */
export function setAnswerHeaders(app: FastifyInstance, config: Config): void {
  const headers = answerHeaders(config)
  app.addHook('onRequest', (request, reply, done) => {
    if (!isPageAddress(request.url)) reply.headers(headers)
    done()
  })
}

/** Who asks for these often knows no name of this server. */
export const PROBES = ['/healthz', '/readyz']

function isPageAddress(url: string): boolean {
  return !url.startsWith('/api/') && !PROBES.includes(url) && url !== '/metrics'
}
