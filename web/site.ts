import { SiteInfo } from '../shared/site.ts'

export type SiteName = SiteInfo['site']

/**
 * Without the server's facts (the development server serves the page as it is written) the host name's first word
 * tells which site this is.
 */
function guessedFrom(location: { protocol: string; hostname: string; port: string }): SiteInfo {
  const { protocol, hostname, port } = location
  const first = hostname.split('.')[0]
  const site = first === 'master' || first === 'host' ? first : 'public'
  const base = site === 'public' ? hostname : hostname.slice(site.length + 1)
  const origin = (name: string) => `${protocol}//${name}${port ? `:${port}` : ''}`
  return {
    site,
    public_url: origin(base),
    host_url: origin(`host.${base}`),
    master_url: origin(`master.${base}`),
    demo_zoom: false,
    zoom_origin: 'https://zoom.us',
    features: [],
    play_store_url: '',
    support_email: '',
    support_phone: '',
  }
}

export function parseSite(text: string | null | undefined, location: Location | URL): SiteInfo {
  if (!text) return guessedFrom(location)
  const read = SiteInfo.safeParse(JSON.parse(text))
  return read.success ? read.data : guessedFrom(location)
}

/** What the server said about this installation when it served the page. */
export const site: SiteInfo =
  typeof document === 'undefined'
    ? guessedFrom(new URL('http://localhost'))
    : parseSite(document.getElementById('site-info')?.textContent, window.location)

/** Where a visitor of each site signs in; the public site has nowhere of its own. */
export function signInPath(name: SiteName): string {
  return { master: '/master-login', host: '/login', public: '/' }[name]
}
