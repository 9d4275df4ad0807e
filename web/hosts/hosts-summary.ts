import type { Host } from '../../shared/hosts.ts'

export function hostsSummary(hosts: Host[]) {
  const count = (matches: (host: Host) => boolean) => hosts.filter(matches).length
  return {
    total: hosts.length,
    active: count((host) => host.is_active),
    online: count((host) => host.is_online),
    zoomConnected: count((host) => host.zoom_connected),
  }
}

/** The hosts whose username, e-mail or mobile contains the words, whatever the case. */
export function searchHosts(hosts: Host[], words: string): Host[] {
  const wanted = words.trim().toLowerCase()
  if (!wanted) return hosts
  return hosts.filter(({ username, email, mobile }) =>
    [username, email, mobile ?? ''].some((text) => text.toLowerCase().includes(wanted)),
  )
}
