import type { FastifyInstance } from 'fastify'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import type { Access } from '../features/auth/guards.ts'
import { type Site, siteOf } from '../lib/sites.ts'
import { PROBE_PATHS } from './health.ts'

const MASTERS_SIGN_IN = '/api/auth/master-login'
/** The calls of /api/mobile that consoles use too. All others are those of phones. */
const SHARED_CALLS = ['/api/mobile/host-mute-all-status', '/api/mobile/sse-session', '/api/mobile/events/']

/**
 * Routes that a site does not answer, so that access rules for a name at the proxy cover its calls. The meeting's frame
 * has no calls at all; the public site, where programs call the API, has all.
 */
const CLOSED: Record<Site, (route: string, access?: readonly Access[]) => boolean> = {
  meeting: (route) => route.startsWith('/api/'),
  phone: (route) => route.startsWith('/api/') && !route.startsWith('/api/mobile/') && route !== '/api/openapi.json',
  host: (route, access) =>
    access?.join() === 'master' ||
    route === MASTERS_SIGN_IN ||
    (route.startsWith('/api/mobile/') && !SHARED_CALLS.some((call) => route.startsWith(call))),
  master: (route) => route.startsWith('/api/mobile/'),
  public: () => false,
}

/** Refuses requests for unknown host names, so that no URL is ever built from one. */
export function requireAllowedHost(app: FastifyInstance, { config }: Deps): void {
  const known = new Map<string, Site>() // caches the few spellings in use, so that not every request parses PUBLIC_URL
  app.addHook('onRequest', ({ url, routeOptions, headers: { host = '' } }, _reply, done) => {
    if (url.includes('%00')) return done(new AppError('malformed', 'This address is malformed.')) // PostgreSQL has no NUL
    if (PROBE_PATHS.includes(url)) return done()
    const site = known.get(host) ?? siteOf(config, host)
    if (!site) return done(misdirected())
    if (known.size < 100) known.set(host, site)
    // Uses the route, because a URL may be spelled in other ways.
    if (CLOSED[site](routeOptions.url ?? '', routeOptions.config.access))
      return done(new AppError('not_found', 'There is nothing here.'))
    done()
  })
}

function misdirected(): AppError {
  return new AppError('misdirected', 'This server answers to its own names only; set PUBLIC_URL if it has another.')
}
