// This file avoids Zod, since the small login pages import it too.

/** Reasons why a console session has ended. */
export const SESSION_ENDS = [
  'signed_out',
  'password_changed',
  'ended', // by the account's owner, from the list of its sessions
  'reset', // the password was set by a link, or a command on the server made a link for it
  'removed', // the account, by a master, or an assistant, by its host
  'cancelled',
  'deleted',
  'role_changed',
  'restored', // a backup or a snapshot took the place of the database
  'idle',
  'expired',
  'signed_in_elsewhere', // so often that this session, the longest unused, was one too many
] as const
export type SessionEnd = (typeof SESSION_ENDS)[number]

/** Reasons why a phone is signed out. */
export const PHONE_SESSION_ENDS = [
  'deactivated',
  'deleted',
  'logout',
  'phone_changed',
  'stopped',
  'cancelled',
  'password_changed',
  'signed_in_elsewhere',
  'subscription_inactive',
] as const
export type PhoneSessionEnd = (typeof PHONE_SESSION_ENDS)[number]

/** A console session expires this long after the sign-in, or after this long without a call that a person caused. */
export const CONSOLE_SESSION_HOURS = 12
export const CONSOLE_IDLE_HOURS = 2
/** The most console sessions of one account. */
export const CONSOLE_SESSIONS_MAX = 20
