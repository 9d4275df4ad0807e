import type { ConsoleRole } from '../../../shared/auth.ts'
import { tabStorage } from '../storage.ts'

const RETURN_TO = 'parley.return-to'
const REDIRECTED = 'parley.redirected'

/** `andReload`: the page is about to load the login, which continues the same visit. */
export function rememberPage(path: string, { andReload = false } = {}) {
  tabStorage.store(RETURN_TO, path)
  if (andReload) tabStorage.store(REDIRECTED, 'yes')
}

/** Returns the page that was opened before signing in, if it belongs to that role's panel. */
export function rememberedPage(role: ConsoleRole): string | null {
  const panel = role === 'master' ? role : 'host'
  const path = tabStorage.read(RETURN_TO)
  return path?.startsWith(`/${panel}/`) ? path : null
}

export function forgetPage() {
  tabStorage.remove(RETURN_TO)
}

/** Call it once per document: an address typed by hand drops the page remembered in an earlier visit. */
export function startVisit(type = navigationType()) {
  const wasRedirected = tabStorage.read(REDIRECTED) !== null
  tabStorage.remove(REDIRECTED)
  if (!wasRedirected && type !== 'reload' && type !== 'back_forward') forgetPage()
}

function navigationType(): string {
  const [entry] = performance.getEntriesByType('navigation')
  return entry instanceof PerformanceNavigationTiming ? entry.type : 'navigate'
}
