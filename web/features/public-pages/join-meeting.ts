/** How a phone is taken to the app: on Android by an address that falls back to the store all by itself. */
export type JoinTarget = { href: string; scheme: string | null }

const SCHEME = 'parley'

export function joinTarget(userAgent: string, storeUrl: string): JoinTarget {
  const app = new URL(storeUrl).searchParams.get('id')
  if (app && /\bAndroid\b/.test(userAgent)) {
    const store = encodeURIComponent(storeUrl)
    return {
      href: `intent://join#Intent;scheme=${SCHEME};package=${app};S.browser_fallback_url=${store};end`,
      scheme: null,
    }
  }
  // Elsewhere the app is tried by its own scheme, and the link itself leads to the store.
  return { href: storeUrl, scheme: `${SCHEME}://join` }
}

const APP_OPENS_WITHIN_MS = 1500

/** Tries the app. If the page is still visible after a moment, the app is missing, and the store opens. */
export function tryApp(scheme: string, storeUrl: string, page: Window) {
  page.location.assign(scheme)
  page.setTimeout(() => {
    if (!page.document.hidden) page.location.assign(storeUrl)
  }, APP_OPENS_WITHIN_MS)
}
