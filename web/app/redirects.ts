import type { ConsoleRole } from '../../shared/auth.ts'
import { PUBLIC_PAGES } from '../../shared/pages.ts'
import { type SiteName, signInPath } from '../lib/site.ts'
import { PANEL_PAGES } from './pages.ts'

const LOGINS = ['/login', '/master-login']
const HOME: Record<ConsoleRole, string> = {
  master: '/master/hosts',
  host: '/host/dashboard',
  manager: '/host/dashboard',
  moderator: '/host/online',
}

/** True for the pages that are the same for everyone, on each site. */
const isOpen = (path: string) => path !== '/' && !LOGINS.includes(path) && Object.hasOwn(PUBLIC_PAGES, path)
const isUnder = (path: string, panel: string) => path === panel || path.startsWith(`${panel}/`)
const withoutSlash = (path: string) => (path.length > 1 ? path.replace(/\/+$/, '') : path)

function dashboardOf(role: ConsoleRole): string {
  return role === 'master' ? '/master/dashboard' : HOME[role]
}

/** Returns the path to redirect a visitor of `path` to, or null. `role` is null for a visitor who is not signed in. */
export function redirectFor(path: string, site: SiteName, role: ConsoleRole | null): string | null {
  const at = withoutSlash(path)
  if (isOpen(at)) return null
  if (at === '/') return site === 'public' ? null : signInPath(site)

  if (at === '/login' || at === '/master-login') {
    if (role) return dashboardOf(role)
    if (at === '/login') return site === 'master' ? '/master-login' : null
    return site === 'host' ? '/login' : null
  }
  if (isUnder(at, '/master') || isUnder(at, '/host')) {
    if (!role) return isUnder(at, '/master') ? '/master-login' : '/login'
    return PANEL_PAGES.some((page) => page.path === at && page.roles.includes(role)) ? null : HOME[role]
  }
  return role ? dashboardOf(role) : signInPath(site)
}

/** Pages that are the same for everyone do not wait for the session to be verified. */
export function waitsForSession(path: string, site: SiteName): boolean {
  const at = withoutSlash(path)
  return !(isOpen(at) || (at === '/' && site === 'public'))
}
