import type { Account } from './state.ts'
import { forgetTokens } from './tokens.ts'
import { sendDeauthorized } from './webhooks.ts'
import type { Zoom } from './zoom.ts'

/** Takes the app away from the user, as revoking does and as the user can do in the Marketplace. */
export function deauthorize(zoom: Zoom, account: Account, retention?: 'true' | 'false') {
  forgetTokens(zoom, account)
  account.installed = false
  sendDeauthorized(zoom, account, retention)
}
