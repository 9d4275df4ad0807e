import type { Account } from '../state/state.ts'
import { forgetTokens } from '../state/tokens.ts'
import type { Zoom } from '../state/zoom.ts'
import { sendDeauthorized } from './webhooks.ts'

/** Removes the app from the user, as when the app revokes its token or the user removes it in the Marketplace. */
export function deauthorize(zoom: Zoom, account: Account, retention?: 'true' | 'false') {
  forgetTokens(zoom, account)
  account.installed = false
  sendDeauthorized(zoom, account, retention)
}
