import type { FastifyInstance } from 'fastify'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { type Site, siteOf } from '../lib/sites.ts'
import { PROBES } from './health.ts'

/** The meeting's frame has no calls, and the phone's site, which keeps sessions of weeks, no page of a library's. */
const CLOSED: Partial<Record<Site, string>> = { meeting: '/api/', phone: '/api/docs' }

/** Refuses requests for any other host name, so that no URL is ever built from one. */
export function requireAllowedHost(app: FastifyInstance, { config }: Deps): void {
  const known = new Map<string, Site>() // the few spellings that clients use, so that no request parses PUBLIC_URL
  app.addHook('onRequest', ({ url, routeOptions, headers: { host = '' } }, _reply, done) => {
    if (url.includes('%00')) return done(new AppError('malformed', 'This address is malformed.')) // PostgreSQL stores no NUL
    if (PROBES.includes(url)) return done()
    const site = known.get(host) ?? siteOf(config, host)
    if (!site) return done(misdirected())
    if (known.size < 100) known.set(host, site)
    const closed = CLOSED[site]
    // Of the route, since an address may be spelled in other ways.
    if (closed && routeOptions.url?.startsWith(closed)) return done(new AppError('not_found', 'There is nothing here.'))
    done()
  })
}

function misdirected(): AppError {
  return new AppError('misdirected', 'This server answers to its own names only; set PUBLIC_URL if it has another.')
}
