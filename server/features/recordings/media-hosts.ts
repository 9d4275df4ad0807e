import type { Config } from '../../config.ts'

/**
 * Admits Zoom's hosts over https, and the hosts of the settings on any port. URLs come from outside, and could point to
 * a machine of the internal network.
 */
export function isMediaHost(config: Pick<Config, 'ZOOM_OAUTH_URL' | 'ZOOM_API_URL'>, url: URL): boolean {
  if (url.username || url.password) return false
  const { hostname, protocol, port } = url
  if (isZoomHost(hostname)) return protocol === 'https:' && port === ''
  return [config.ZOOM_OAUTH_URL, config.ZOOM_API_URL]
    .map((setting) => new URL(setting))
    .some((ownHost) => ownHost.hostname === hostname && ownHost.protocol === protocol)
}

/** A host of the settings may have a private address, unlike Zoom's. */
export const isZoomHost = (hostname: string) => hostname === 'zoom.us' || hostname.endsWith('.zoom.us')
