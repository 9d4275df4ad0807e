import type { SiteInfo } from '../shared/site.ts'
import type { Config } from './config.ts'

export type Site = SiteInfo['site']

/** The three origins; the host and the master site use the scheme and port of PUBLIC_URL. */
export function siteOrigins(config: Config): Record<Site, string> {
  const at = (hostname: string) => {
    const url = new URL(config.PUBLIC_URL)
    url.hostname = hostname
    return url.origin
  }
  return {
    public: new URL(config.PUBLIC_URL).origin,
    host: at(config.HOST_HOSTNAME),
    master: at(config.MASTER_HOSTNAME),
  }
}

/** Which site a host name means. Loopback names mean the public one; null for a name that is not ours. */
export function siteOf(config: Config, hostHeader: string | undefined): Site | null {
  const name = (hostHeader ?? '').replace(/:\d+$/, '').toLowerCase()
  if (name === config.MASTER_HOSTNAME.toLowerCase()) return 'master'
  if (name === config.HOST_HOSTNAME.toLowerCase()) return 'host'
  if (name === new URL(config.PUBLIC_URL).hostname) return 'public'
  return ['localhost', '127.0.0.1', '[::1]'].includes(name) ? 'public' : null
}

/** Which host names are this server's own: a few spellings, with and without a port, each worked out once. */
export class OwnNames {
  readonly #config: Config
  readonly #known = new Set<string>()

  constructor(config: Config) {
    this.#config = config
  }

  has(hostHeader = ''): boolean {
    if (this.#known.has(hostHeader)) return true
    if (!siteOf(this.#config, hostHeader)) return false
    if (this.#known.size < 100) this.#known.add(hostHeader)
    return true
  }
}
