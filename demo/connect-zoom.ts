import { OAuthUrlAnswer } from '../shared/oauth.ts'
import { call } from '../shared/phone/call.ts'

/** `hostId` names a host that is already connected, which gets the new grant directly. */
type Connect = { server: string; token: string; email: string; returnUrl: string; hostId?: string }

/** Grants Zoom's consent like a browser, and returns the id of the OAuth result. */
export async function connectZoom({ server, token, email, returnUrl, hostId }: Connect): Promise<string> {
  const query = new URLSearchParams({ email, return_url: returnUrl, ...(hostId && { host_id: hostId }) })
  const { auth_url } = await call(OAuthUrlAnswer, 'GET', `${server}/api/oauth/url?${query}`, { token })

  const page = await fetch(auth_url)
  const consent = readForm(await page.text(), page.url)
  consent.fields.set('account', 'other')
  consent.fields.set('email', email)
  consent.fields.set('action', 'allow')
  const callback = await redirectOf(consent.action, { method: 'POST', body: consent.fields })

  // A proxy at the public address may be unreachable from this machine, so it calls the server directly.
  const landed = await redirectOf(new URL(`${callback.pathname}${callback.search}`, server).href)
  const result = landed.searchParams.get('oauth_result_id') ?? landed.searchParams.get('oauth_result')
  if (!result) throw new Error(`Zoom was not connected: ${landed.searchParams.get('error') ?? 'no result came back'}`)
  return result
}

/** Parses the first form of a page, with its hidden fields. */
export function readForm(page: string, base: string) {
  const [, open = '', inside = ''] = /<form\b([^>]*)>([\s\S]*?)<\/form>/.exec(page) ?? []
  const action = attribute(open, 'action')
  if (action === null) throw new Error('The consent page has no form')
  const fields = new URLSearchParams()
  for (const [input] of inside.matchAll(/<input\b[^>]*>/g)) {
    const name = attribute(input, 'name')
    if (name && attribute(input, 'type') === 'hidden') fields.set(name, attribute(input, 'value') ?? '')
  }
  return { action: new URL(action, base).href, fields }
}

function attribute(tag: string, name: string) {
  const [, value] = new RegExp(`\\b${name}="([^"]*)"`).exec(tag) ?? []
  return value?.replaceAll('&quot;', '"').replaceAll('&amp;', '&') ?? null
}

async function redirectOf(url: string, init: RequestInit = {}): Promise<URL> {
  const response = await fetch(url, { ...init, redirect: 'manual' })
  await response.body?.cancel()
  const location = response.headers.get('location')
  if (!location) throw new Error(`${new URL(url).pathname} answered ${response.status} where a redirect was due`)
  return new URL(location, url)
}
