import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'
import { siteOf } from '../lib/sites.ts'
import { PROBES } from './health.ts'

/** Remembers the few spellings of our host names that clients use, so that no request parses a URL twice. */
export class AllowedHosts {
  readonly #config: Config
  readonly #seen = new Set<string>()

  constructor(config: Config) {
    this.#config = config
  }

  has(hostHeader = ''): boolean {
    if (this.#seen.has(hostHeader)) return true
    if (!siteOf(this.#config, hostHeader)) return false
    if (this.#seen.size < 100) this.#seen.add(hostHeader)
    return true
  }
}

/** Refuses requests for any other host name, so that no URL is ever built from one. */
export function requireAllowedHost(app: FastifyInstance, allowedHosts: AllowedHosts): void {
  app.addHook('onRequest', ({ url, headers: { host } }, _reply, done) => {
    if (url.includes('%00')) return done(new AppError('malformed', 'This address is malformed.')) // PostgreSQL stores no NUL
    done(allowedHosts.has(host) || PROBES.includes(url) ? undefined : misdirected())
  })
}

function misdirected(): AppError {
  return new AppError('misdirected', 'This server answers to its own names only; set PUBLIC_URL if it has another.')
}
