import type { SiteInfo } from '../../shared/site.ts'
import { type Config, meetingHostname } from '../config.ts'

/** `meeting` serves the phone app's frame in which Zoom's code runs; `SiteInfo` has the sites with a console. */
export type Site = SiteInfo['site'] | 'phone' | 'meeting'

/** All sites use the scheme and port of PUBLIC_URL. */
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
    phone: at(config.PHONE_HOSTNAME),
    meeting: at(meetingHostname(config)),
  }
}

/** Treats loopback names as the public site; returns null for a host name that is not ours. */
export function siteOf(config: Config, hostHeader: string | undefined): Site | null {
  const name = (hostHeader ?? '').replace(/:\d+$/, '').toLowerCase()
  if (name === config.MASTER_HOSTNAME.toLowerCase()) return 'master'
  if (name === config.HOST_HOSTNAME.toLowerCase()) return 'host'
  if (name === config.PHONE_HOSTNAME.toLowerCase()) return 'phone'
  if (name === meetingHostname(config).toLowerCase()) return 'meeting'
  if (name === new URL(config.PUBLIC_URL).hostname) return 'public'
  return ['localhost', '127.0.0.1', '[::1]'].includes(name) ? 'public' : null
}
