import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'

/** Returns the name of the site that was called, which is the relying party of its passkeys. Other names are refused. */
export const rpIdOf = ({ headers: { host = '' } }: FastifyRequest) => host.replace(/:\d+$/, '').toLowerCase()

/** Returns the origin of a site's pages: all sites have the scheme and port of PUBLIC_URL. */
export function originOf({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>, rpId: string): string {
  const url = new URL(PUBLIC_URL)
  url.hostname = rpId
  return url.origin
}
