import type { SiteInfo } from '../../shared/site.ts'
import { isRecord } from './is-record.ts'

export type SiteName = SiteInfo['site']

const DEFAULT_KEPT_DAYS: SiteInfo['kept_days'] = { audit: 731, attendance: 396, recordings: null }

/** Vite's development server sends no site info, so the hostname's first label names the site. */
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
    phone_url: origin(`phone.${base}`),
    demo_zoom: false,
    zoom_origin: 'https://zoom.us',
    zoom_connect_seconds: null,
    features: [],
    play_store_url: '',
    source_url: '',
    support_email: '',
    support_phone: '',
    sends_mail: false,
    seat_url: '',
    seat_sound: false,
    kept_days: DEFAULT_KEPT_DAYS,
  }
}

function readKeptDays(value: unknown): SiteInfo['kept_days'] {
  if (!isRecord(value)) return DEFAULT_KEPT_DAYS
  const days = (name: string) => (typeof value[name] === 'number' ? value[name] : null)
  return {
    audit: days('audit') ?? DEFAULT_KEPT_DAYS.audit,
    attendance: days('attendance') ?? DEFAULT_KEPT_DAYS.attendance,
    recordings: days('recordings'),
  }
}

export function parseSite(text: string | null | undefined, location: Location | URL): SiteInfo {
  return (text && readSite(JSON.parse(text))) || guessedFrom(location)
}

/** Parses without Zod: with the shared schema the login page would load 137 kB instead of 115 kB. */
function readSite(value: unknown): SiteInfo | null {
  if (!isRecord(value)) return null
  const { site, demo_zoom, features } = value
  const text = (name: keyof SiteInfo) => (typeof value[name] === 'string' ? value[name] : '')
  if (site !== 'public' && site !== 'host' && site !== 'master') return null
  if (!text('public_url') || !text('host_url') || !text('master_url')) return null
  return {
    site,
    public_url: text('public_url'),
    host_url: text('host_url'),
    master_url: text('master_url'),
    phone_url: text('phone_url'),
    demo_zoom: demo_zoom === true,
    zoom_origin: text('zoom_origin'),
    zoom_connect_seconds: typeof value.zoom_connect_seconds === 'number' ? value.zoom_connect_seconds : null,
    features: Array.isArray(features) ? features.filter((feature) => typeof feature === 'string') : [],
    play_store_url: text('play_store_url'),
    source_url: text('source_url'),
    support_email: text('support_email'),
    support_phone: text('support_phone'),
    sends_mail: value.sends_mail === true,
    seat_url: text('seat_url'),
    seat_sound: value.seat_sound === true,
    kept_days: readKeptDays(value.kept_days),
  }
}

export const site: SiteInfo =
  typeof document === 'undefined'
    ? guessedFrom(new URL('http://localhost'))
    : parseSite(document.getElementById('site-info')?.textContent, window.location)

/** The public site has no login of its own. */
export function signInPath(name: SiteName): string {
  return { master: '/master-login', host: '/login', public: '/' }[name]
}
