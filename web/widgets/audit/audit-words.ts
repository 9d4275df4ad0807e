import { AUDIT_ACTIONS, type AuditAction, type AuditEntry } from '../../../shared/audit.ts'

/** Past tense; the actor's name stands beside it. */
const WORDS: Partial<Record<AuditAction, string>> = {
  host_login: 'Host signed in',
  host_login_failed: 'Host sign-in failed',
  host_login_refused: 'Host sign-in refused',
  host_logout: 'Host signed out',
  assistant_login: 'Assistant signed in',
  assistant_login_failed: 'Assistant sign-in failed',
  assistant_logout: 'Assistant signed out',
  phone_login: 'Phone signed in',
  phone_login_failed: 'Phone sign-in failed',
  phone_login_refused: 'Phone sign-in refused',
  phone_logout: 'Phone signed out',
  phone_change_asked: 'Change of phone asked for',
  password_changed: 'Own password changed',
  security_changed: 'Who must have a second factor changed',
  totp_added: 'App for codes set up',
  totp_removed: 'App for codes removed',
  sessions_ended: 'Other sessions ended',
  confirmed: 'Confirmed who they are',
  confirm_failed: 'Wrong password of a signed-in account',
  sign_in_refusals_capped: 'More refused sign-ins than are listed',
  access_refused: 'Access refused',
  host_purge_asked: 'Purge asked for',
  zoom_connect_failed: 'Connecting Zoom failed',
  zoom_reconnect_needed: 'Zoom needs to be reconnected',
  profile_activate: 'Room activated',
  profile_stop: 'Room stopped',
  profile_logout: "Host's phone signed out",
  'profile_change-phone': "Host's phone changed",
  user_activate: 'User activated',
  user_deactivate: 'User deactivated',
  user_delete: 'User deleted',
  user_logout: 'User signed out',
  user_mute: 'User muted',
  user_unmute: 'User unmuted',
  'user_lower-hand': "User's hand lowered",
  user_switch: "User's phone switched",
  user_phone_approved: "User's new phone approved",
  user_phone_refused: "User's new phone refused",
  user_credentials_revealed: "User's credentials shown",
  sign_in_link_made: 'Sign-in link made',
  sign_in_link_revoked: 'Sign-in link revoked',
  attendee_mute: 'Muted in Zoom',
  'attendee_ask-unmute': 'Asked in Zoom to unmute',
  'attendee_ask-unmute-all': 'All asked in Zoom to unmute',
  attendee_allow: 'Let speak in Zoom',
  attendee_remove: 'Removed from the meeting',
  attendee_hold: 'Put into the waiting room',
  attendee_admit: 'Admitted to the meeting',
  'attendee_admit-all': 'All admitted to the meeting',
  'attendee_lower-hand': 'Hand lowered in Zoom',
  attendee_linked: 'Recognised in Zoom',
  attendee_name_forgotten: 'Name in Zoom forgotten',
  attendee_guarded: 'Muted again in Zoom',
  mute_all: 'All muted',
  unmute_all: 'All unmuted',
  passcode_asked: 'New passcode asked for',
  meeting_start_asked: 'Meeting opened in Zoom',
  recording_start: 'Recording started',
  recording_pause: 'Recording paused',
  recording_resume: 'Recording resumed',
  recording_stop: 'Recording stopped',
}

/** An action without words here is shown by its name: `host_edited` is "Host edited". */
export function auditActionText(action: string): string {
  const known = AUDIT_ACTIONS.find((one) => one === action)
  const words = known && WORDS[known]
  if (words) return words
  const plain = action.replaceAll(/[_-]/g, ' ')
  return plain.charAt(0).toUpperCase() + plain.slice(1)
}

/** Entries of the same action within a minute are one entry. */
export function timesText({ times }: Pick<AuditEntry, 'times'>): string {
  return times > 1 ? ` (${times} times)` : ''
}
