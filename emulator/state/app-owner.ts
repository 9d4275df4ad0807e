import { newAccount } from './seed.ts'
import type { Account } from './state.ts'
import { bearerOf } from './tokens.ts'
import type { Zoom } from './zoom.ts'

const TOKEN_SECONDS = 3600
const DEVELOPER = { email: 'developer@app-owner.example', display_name: 'The app’s developer' }

/** The app belongs to a user of this account; only guests of its meetings can join without a token of the host. */
export function appAccountId(zoom: Zoom): string {
  const owner = zoom.settings.seed[0] ?? DEVELOPER
  return zoom.options.app_account ?? newAccount(owner, zoom.now()).account_id
}

export function appOwner(zoom: Zoom): Account {
  const account_id = appAccountId(zoom)
  const known = zoom.state.accounts.find((account) => account.account_id === account_id)
  return known ?? newAccount({ ...DEVELOPER, account_id }, zoom.now())
}

/** Issues the app's own token, which cannot be refreshed. */
export function newAppToken(zoom: Zoom) {
  const access_token = zoom.newToken()
  zoom.memory.appTokens.set(access_token, zoom.now() + TOKEN_SECONDS * 1000)
  return { access_token, token_type: 'bearer', expires_in: TOKEN_SECONDS - 1, scope: '', api_url: zoom.origin }
}

export function isAppToken(zoom: Zoom, header: string | undefined): boolean {
  return (zoom.memory.appTokens.get(bearerOf(header) ?? '') ?? 0) > zoom.now()
}
