import type { SiteInfo } from '../../shared/site.ts'
import { type Config, meetingHostname } from '../config.ts'

/** `meeting` serves the phone app's frame in which Zoom's code runs; `SiteInfo` has the sites with a console. */
export type Site = SiteInfo['site'] | 'phone' | 'meeting'

/** The page on the meeting site in which Zoom's code runs for the host's console. */
export const SEAT_PATH = '/seat'

/** True for the pages of the host's seat: Zoom's code leaves the first one for another below it. */
export function isSeatPage(config: Config, site: Site, url: string): boolean {
  if (!config.HOST_SEAT || site !== 'meeting') return false
  const [path = ''] = url.split('?')
  return path === SEAT_PATH || path.startsWith(`${SEAT_PATH}/`)
}

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
