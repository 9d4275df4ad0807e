import type { Role } from '../../../shared/auth.ts'

const RETURN_TO = 'parley.return-to'
const REDIRECTED = 'parley.redirected'

/** `andReload`: the page is about to load the login, which continues the same visit. */
export function rememberPage(path: string, { andReload = false } = {}) {
  sessionStorage.setItem(RETURN_TO, path)
  if (andReload) sessionStorage.setItem(REDIRECTED, 'yes')
}

/** Returns the page that was opened before signing in, if it belongs to that role's panel. */
export function rememberedPage(role: Role): string | null {
  const path = sessionStorage.getItem(RETURN_TO)
  return path?.startsWith(`/${role}/`) ? path : null
}

export function forgetPage() {
  sessionStorage.removeItem(RETURN_TO)
}

/** Call it once per document: an address typed by hand drops the page remembered in an earlier visit. */
export function startVisit(type = navigationType()) {
  const wasRedirected = sessionStorage.getItem(REDIRECTED) !== null
  sessionStorage.removeItem(REDIRECTED)
  if (!wasRedirected && type !== 'reload' && type !== 'back_forward') forgetPage()
}

function navigationType(): string {
  const [entry] = performance.getEntriesByType('navigation')
  return entry instanceof PerformanceNavigationTiming ? entry.type : 'navigate'
}
