import type { SiteInfo } from '../../shared/site.ts'
import { isRecord } from './is-record.ts'

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
    zoom_connect_seconds: null,
    features: [],
    play_store_url: '',
    support_email: '',
    support_phone: '',
  }
}

export function parseSite(text: string | null | undefined, location: Location | URL): SiteInfo {
  return (text && readSite(JSON.parse(text))) || guessedFrom(location)
}

/** By hand, since a page that only shows words is not to fetch a library of schemas first. */
function readSite(value: unknown): SiteInfo | null {
  if (!isRecord(value)) return null
  const { site, demo_zoom, features } = value
  const word = (name: keyof SiteInfo) => (typeof value[name] === 'string' ? value[name] : '')
  if (site !== 'public' && site !== 'host' && site !== 'master') return null
  if (!word('public_url') || !word('host_url') || !word('master_url')) return null
  return {
    site,
    public_url: word('public_url'),
    host_url: word('host_url'),
    master_url: word('master_url'),
    demo_zoom: demo_zoom === true,
    zoom_origin: word('zoom_origin'),
    zoom_connect_seconds: typeof value.zoom_connect_seconds === 'number' ? value.zoom_connect_seconds : null,
    features: Array.isArray(features) ? features.filter((feature) => typeof feature === 'string') : [],
    play_store_url: word('play_store_url'),
    support_email: word('support_email'),
    support_phone: word('support_phone'),
  }
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
