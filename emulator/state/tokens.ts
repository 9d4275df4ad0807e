import type { Account } from './state.ts'
import { DAY_MS } from './times.ts'
import type { Zoom } from './zoom.ts'

/** Each consent and each refresh issues a new pair. */
export function issueTokens(zoom: Zoom, account: Account, scopes: string[]) {
  const { state } = zoom
  const now = zoom.now()
  state.access_tokens = state.access_tokens.filter((held) => held.expires_at > now - DAY_MS)
  state.refresh_tokens = state.refresh_tokens.filter((held) => held.status !== 'spent' && held.expires_at > now)

  const access_token = zoom.newToken()
  const refresh_token = zoom.newToken()
  const user_id = account.id
  const lifetime = zoom.options.access_token_seconds
  state.access_tokens.push({ token: access_token, user_id, scopes, expires_at: now + lifetime * 1000 })
  state.refresh_tokens.push({ token: refresh_token, user_id, scopes, expires_at: now + 90 * DAY_MS, status: 'active' })
  account.installed = true
  return {
    access_token,
    token_type: 'bearer',
    refresh_token,
    expires_in: Math.max(0, lifetime - 1),
    scope: scopes.join(' '),
    api_url: zoom.origin,
  }
}

/** A rotated token works once more with `grace`, but never without it. */
export function spendRefreshToken(zoom: Zoom, token: string) {
  const held = zoom.state.refresh_tokens.find((refresh) => refresh.token === token)
  if (!held || held.expires_at <= zoom.now() || held.status === 'spent') return undefined
  if (held.status === 'rotated') {
    held.status = 'spent'
    return zoom.options.grace ? held : undefined
  }
  held.status = 'rotated'
  return held
}

export function forgetTokens(zoom: Zoom, account: Account) {
  const others = ({ user_id }: { user_id: string }) => user_id !== account.id
  zoom.state.access_tokens = zoom.state.access_tokens.filter(others)
  zoom.state.refresh_tokens = zoom.state.refresh_tokens.filter(others)
}

/** Expires the access tokens, and optionally the refresh tokens, which last 90 days. */
export function expireTokens(zoom: Zoom, account: Account, refreshToo: boolean) {
  const now = zoom.now()
  for (const held of zoom.state.access_tokens) if (held.user_id === account.id) held.expires_at = now
  if (!refreshToo) return
  for (const held of zoom.state.refresh_tokens) if (held.user_id === account.id) held.expires_at = now
}

export function bearerOf(header: string | undefined) {
  return /^Bearer +(\S+)$/i.exec(header ?? '')?.[1]
}

/** Finds expired tokens too. */
export function findAccessToken(zoom: Zoom, header: string | undefined) {
  const token = bearerOf(header)
  return token === undefined ? undefined : zoom.state.access_tokens.find((held) => held.token === token)
}
