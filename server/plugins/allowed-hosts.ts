import type { Config } from '../config.ts'
import { siteOf } from '../lib/sites.ts'

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
