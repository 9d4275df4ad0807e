import type { Role } from '../../shared/auth.ts'
import { type SiteName, signInPath } from '../lib/site.ts'

const OPEN = ['/terms', '/policy', '/documentation', '/support', '/oauth-success', '/oauth-error']
const MASTER_PAGES = ['/master', '/master/hosts', '/master/hosts/add']
const HOST_PAGES = [
  'dashboard',
  'host-master',
  'users',
  'online',
  'rooms',
  'recordings',
  'app-info',
  'attendance',
  'downloads',
].map((page) => `/host/${page}`)

export function dashboardOf(role: Role): string {
  return role === 'master' ? '/master/dashboard' : '/host/dashboard'
}

const isUnder = (path: string, panel: string) => path === panel || path.startsWith(`${panel}/`)

/** Where a visitor of `path` is sent instead, or null to stay. `role` is null for nobody signed in. */
export function redirectFor(path: string, site: SiteName, role: Role | null): string | null {
  const at = path.length > 1 ? path.replace(/\/+$/, '') : path
  if (OPEN.includes(at)) return null
  if (at === '/') return site === 'public' ? null : signInPath(site)

  if (at === '/login' || at === '/master-login') {
    if (role) return dashboardOf(role)
    if (at === '/login') return site === 'master' ? '/master-login' : null
    return site === 'host' ? '/login' : null
  }
  if (isUnder(at, '/master')) {
    if (!role) return '/master-login'
    if (role !== 'master') return '/host/dashboard'
    return MASTER_PAGES.includes(at) ? null : '/master/hosts'
  }
  if (isUnder(at, '/host')) {
    if (!role) return '/login'
    if (role === 'master' && at !== '/host/host-master') return '/master/hosts'
    return HOST_PAGES.includes(at) ? null : '/host/dashboard'
  }
  return role ? dashboardOf(role) : signInPath(site)
}

/** Pages that show the same to everybody do not wait for the session to be verified. */
export function waitsForSession(path: string, site: SiteName): boolean {
  const at = path.length > 1 ? path.replace(/\/+$/, '') : path
  return !(OPEN.includes(at) || (at === '/' && site === 'public'))
}
