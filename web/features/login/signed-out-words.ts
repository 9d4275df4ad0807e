import { CONSOLE_IDLE_HOURS, CONSOLE_SESSION_HOURS, CONSOLE_SESSIONS_MAX } from '../../../shared/session-end.ts'
import type { SignedOutReason } from '../../lib/session/session.ts'

/** Says on the login page why the user was signed out. */
export const SIGNED_OUT_WORDS: Record<SignedOutReason, string> = {
  signed_out: 'You signed out in another tab.',
  password_changed: 'Your password was changed, so please sign in with the new one.',
  ended: 'You were signed out from the list of sessions in your account.',
  reset: 'The password of this account was reset, so please sign in with the new one.',
  removed: 'You were signed out because this account has been removed.',
  cancelled: 'You were signed out because your subscription has been cancelled; please contact your administrator.',
  deleted: 'You were signed out because this account has been deleted; please contact your administrator.',
  role_changed: 'You were signed out because your role has changed, so please sign in again.',
  restored: 'You were signed out because Parley was restored from a backup, so please sign in again.',
  idle: `You were signed out because nothing was done here for ${CONSOLE_IDLE_HOURS} hours.`,
  expired: `You were signed out because a sign-in lasts ${CONSOLE_SESSION_HOURS} hours at most.`,
  signed_in_elsewhere: `You were signed out because this account has signed in elsewhere since; its newest ${CONSOLE_SESSIONS_MAX} sign-ins last.`,
  unknown: 'Your session has ended, so please sign in again.',
}
