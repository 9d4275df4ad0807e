import type { Config } from '../config.ts'

/** Headers of every response but pages. Also sent where no hook runs: bad URLs, and before the database is up. */
export function apiHeaders(config: Pick<Config, 'PUBLIC_URL'>): Record<string, string> {
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
