import type { Config } from '../../config.ts'

/**
 * Whether a recording may be fetched from this address: Zoom's own hosts over https, and the hosts that the settings put
 * in their place, on any port. Addresses come from outside, and could name a machine inside.
 */
export function isMediaHost(config: Pick<Config, 'ZOOM_OAUTH_URL' | 'ZOOM_API_URL'>, url: URL): boolean {
  if (url.username || url.password) return false
  const { hostname, protocol, port } = url
  if (isZooms(hostname)) return protocol === 'https:' && port === ''
  return [config.ZOOM_OAUTH_URL, config.ZOOM_API_URL]
    .map((setting) => new URL(setting))
    .some((own) => own.hostname === hostname && own.protocol === protocol)
}

/** One of Zoom's own names, which lead nowhere inside; those of the settings may. */
export const isZooms = (hostname: string) => hostname === 'zoom.us' || hostname.endsWith('.zoom.us')
