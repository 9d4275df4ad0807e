import type { FastifyInstance } from 'fastify'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { siteOf } from '../lib/sites.ts'
import { PROBES } from './health.ts'

/** Refuses requests for any other host name, so that no URL is ever built from one. */
export function requireAllowedHost(app: FastifyInstance, { config }: Deps): void {
  const allowedHosts = new Set<string>() // the few spellings that clients use, so that no request parses PUBLIC_URL
  app.addHook('onRequest', ({ url, headers: { host = '' } }, _reply, done) => {
    if (url.includes('%00')) return done(new AppError('malformed', 'This address is malformed.')) // PostgreSQL stores no NUL
    if (allowedHosts.has(host) || PROBES.includes(url)) return done()
    if (!siteOf(config, host)) return done(misdirected())
    if (allowedHosts.size < 100) allowedHosts.add(host)
    done()
  })
}

function misdirected(): AppError {
  return new AppError('misdirected', 'This server answers to its own names only; set PUBLIC_URL if it has another.')
}
