import { z } from 'zod'
import { DayOrTime } from './dates.ts'
import { answer, Time } from './envelope.ts'

/** All audited actions. Add a new one here first. */
export const AUDIT_ACTIONS = [
  'master_login',
  'master_login_failed',
  'master_logout',
  'master_handed_over', // the session moved to another browser through a link
  'host_login',
  'host_login_failed',
  'host_login_refused',
  'host_logout',
  'host_handed_over',
  'assistant_login',
  'assistant_login_failed',
  'assistant_logout',
  'assistant_handed_over',
  'assistant_added',
  'assistant_edited',
  'assistant_invited',
  'assistant_removed',
  'phone_login',
  'phone_login_failed',
  'phone_login_refused',
  'phone_logout',
  'phone_change_asked',
  'password_changed', // by the account's owner
  'password_reset', // with a link
  'reset_link_made', // by a master for a host, or by a command for a master
  'master_invited',
  'master_invitation_cancelled',
  'master_joined', // with an invitation
  'second_factor_reset', // by a link that removes it
  'second_factor_failed', // at a sign-in, after the right password
  'recovery_code_used', // at a sign-in
  'totp_added', // an app that shows codes, as the second factor
  'totp_removed',
  'passkey_added',
  'passkey_removed',
  'recovery_codes_made',
  'security_changed', // who must have a second factor
  'master_removed',
  'session_ended', // by the account's owner, from the list of its sessions
  'sessions_ended',
  'confirmed', // by the account's owner, before an act that needs it
  'confirm_failed', // a signed-in caller gave a wrong password
  'sign_in_refusals_capped', // further refusals of that day are not listed
  'access_refused', // a signed-in caller requested an action that its role does not permit
  'host_created',
  'host_edited',
  'host_deleted',
  'host_restored',
  'host_purge_asked',
  'host_purged',
  'subscription_created',
  'subscription_extended',
  'subscription_reduced',
  'subscription_date_set',
  'subscription_cancelled',
  'subscription_edited',
  'zoom_connected',
  'zoom_connect_failed',
  'zoom_disconnected',
  'zoom_reconnect_needed',
  'zoom_data_purged',
  'profile_activate',
  'profile_stop',
  'profile_logout',
  'profile_change-phone',
  'user_created',
  'user_edited',
  'user_activate',
  'user_deactivate',
  'user_delete',
  'user_logout',
  'user_mute',
  'user_unmute',
  'user_lower-hand',
  'user_pin',
  'user_unpin',
  'group_created',
  'group_edited',
  'group_deleted',
  'group_users_added',
  'group_users_removed',
  'meeting_planned',
  'planned_meeting_edited',
  'planned_meeting_removed',
  'calendar_link_made',
  'calendar_link_removed',
  'report_link_made', // shows a meeting's report without a sign-in
  'report_link_ended',
  'turn_limit_set',
  'queue_order_set',
  'word_sent',
  'word_taken_back',
  'turn_ended', // the user was muted at its end
  'user_switch',
  'user_phone_approved',
  'user_phone_refused',
  'user_credentials_revealed',
  'sign_in_link_made',
  'sign_in_link_revoked',
  'attendee_mute', // somebody in the Zoom meeting
  'attendee_ask-unmute',
  'attendee_ask-unmute-all',
  'attendee_allow',
  'attendee_remove',
  'attendee_hold',
  'attendee_admit',
  'attendee_lower-hand',
  'attendee_admit-all',
  'attendee_linked',
  'attendee_name_forgotten', // a name by which a user was recognised
  'attendee_guarded', // muted again while Mute All holds
  'mute_all',
  'unmute_all',
  'app_info_edited',
  'passcode_asked', // a new passcode for the room's meeting
  'passcode_changed',
  'recording_shared', // with the room's users, in the phone app
  'recording_unshared',
  'recordings_trashed',
  'recordings_recovered',
  'meeting_start_asked', // the link that starts the meeting as the host
  'meeting_ended',
  'meeting_note_edited', // the words that are kept with it
  'seat_taken', // the host's seat in the Zoom meeting, by a console
  'seat_taken_over', // from another console
  'seat_released',
  'seat_lost', // its console has not reported in time
  'recording_start', // recording of the running meeting
  'recording_pause',
  'recording_resume',
  'recording_stop',
  'attendance_exported',
  'audit_exported',
  'renewals_exported',
  'person_exported', // all about one user
  'person_erased',
  'host_exported', // all about a host's account, without the room's users
  'mail_test_sent', // by a master, to itself
  'backup_asked', // by a master
  'backup_made', // a command of the server, as are the next four
  'backup_failed',
  'system_restored', // from a backup
  'moved_to_postgres', // from the embedded database
  'key_rotated',
] as const
export const AuditAction = z.enum(AUDIT_ACTIONS, 'There is no such action')
export type AuditAction = z.infer<typeof AuditAction>

export const AuditKind = z.enum(['sign_ins', 'mutes', 'users', 'meetings', 'account', 'exports'])
export type AuditKind = z.infer<typeof AuditKind>

/** The actions of each kind. An action without a kind appears only in the unfiltered list. */
export const AUDIT_KINDS: Record<AuditKind, readonly AuditAction[]> = {
  sign_ins: [
    'host_login',
    'host_login_failed',
    'host_login_refused',
    'host_logout',
    'host_handed_over',
    'assistant_login',
    'assistant_login_failed',
    'assistant_logout',
    'assistant_handed_over',
    'phone_login',
    'phone_login_failed',
    'phone_login_refused',
    'phone_logout',
    'phone_change_asked',
    'password_changed',
    'password_reset',
    'second_factor_reset',
    'second_factor_failed',
    'recovery_code_used',
    'totp_added',
    'totp_removed',
    'passkey_added',
    'passkey_removed',
    'recovery_codes_made',
    'session_ended',
    'sessions_ended',
    'confirmed',
    'confirm_failed',
    'sign_in_refusals_capped',
    'profile_logout',
    'user_logout',
  ],
  mutes: [
    'user_mute',
    'user_unmute',
    'user_lower-hand',
    'user_pin',
    'user_unpin',
    'turn_limit_set',
    'queue_order_set',
    'turn_ended',
    'attendee_mute',
    'attendee_ask-unmute',
    'attendee_ask-unmute-all',
    'attendee_allow',
    'attendee_lower-hand',
    'attendee_guarded',
    'mute_all',
    'unmute_all',
  ],
  users: [
    'attendee_linked',
    'attendee_name_forgotten',
    'group_created',
    'group_edited',
    'group_deleted',
    'group_users_added',
    'group_users_removed',
    'user_created',
    'user_edited',
    'user_activate',
    'user_deactivate',
    'user_delete',
    'user_switch',
    'user_phone_approved',
    'user_phone_refused',
    'user_credentials_revealed',
    'sign_in_link_made',
    'sign_in_link_revoked',
    'person_erased',
  ],
  meetings: [
    'meeting_planned',
    'planned_meeting_edited',
    'planned_meeting_removed',
    'calendar_link_made',
    'calendar_link_removed',
    'report_link_made',
    'report_link_ended',
    'meeting_start_asked',
    'word_sent',
    'word_taken_back',
    'meeting_ended',
    'seat_taken',
    'seat_taken_over',
    'seat_released',
    'seat_lost',
    'attendee_remove',
    'attendee_hold',
    'attendee_admit',
    'attendee_admit-all',
    'recording_start',
    'recording_pause',
    'recording_resume',
    'recording_stop',
    'recording_shared',
    'recording_unshared',
    'recordings_trashed',
    'recordings_recovered',
    'passcode_asked',
    'passcode_changed',
  ],
  account: [
    'reset_link_made',
    'master_invited',
    'master_invitation_cancelled',
    'master_joined',
    'master_removed',
    'security_changed',
    'mail_test_sent',
    'host_created',
    'host_edited',
    'host_deleted',
    'host_restored',
    'subscription_created',
    'subscription_extended',
    'subscription_reduced',
    'subscription_date_set',
    'subscription_cancelled',
    'subscription_edited',
    'zoom_connected',
    'zoom_connect_failed',
    'zoom_disconnected',
    'zoom_reconnect_needed',
    'zoom_data_purged',
    'profile_activate',
    'profile_stop',
    'profile_change-phone',
    'app_info_edited',
    'assistant_added',
    'assistant_edited',
    'assistant_invited',
    'assistant_removed',
    'system_restored',
    'moved_to_postgres',
    'key_rotated',
  ],
  exports: [
    'attendance_exported',
    'audit_exported',
    'renewals_exported',
    'person_exported',
    'host_exported',
    'backup_asked',
    'backup_made',
    'backup_failed',
  ],
}

export const AUDIT_ACTORS = ['master', 'host', 'assistant', 'phone', 'nobody', 'system'] as const
export const AuditActorRole = z.enum(AUDIT_ACTORS)
export type AuditActorRole = z.infer<typeof AuditActorRole>

const State = z.record(z.string(), z.unknown()).nullable()

/** Names are the current ones; null if the account no longer exists. */
export const AuditEntry = z.object({
  id: z.string(),
  at: Time,
  actor: z.object({ role: AuditActorRole, id: z.string().nullable(), name: z.string().nullable() }),
  host_id: z.string().nullable(), // the room concerned; null for the whole installation
  host_name: z.string().nullable(),
  action: z.string(),
  target: z.object({ id: z.string(), name: z.string().nullable() }).nullable(),
  ip: z.string().nullable(),
  before: State,
  after: State,
  times: z
    .int()
    .positive()
    .describe('How often it happened: refused sign-ins of one account and address share a minute.'),
  users_left_out: z
    .int()
    .positive()
    .optional()
    .describe('How many of the `users` are not in this page; a file (`format=csv` or `jsonl`) has all of them.'),
})
export type AuditEntry = z.infer<typeof AuditEntry>

export const AUDIT_PAGE_MAX = 200
/** The most users that a page of the audit lists. Its entries share them equally. */
export const AUDIT_USERS_MAX = 5_000

export const HostAuditQuery = z.object({
  action: AuditAction.optional(),
  actor: z.string().max(64).optional().describe('A role, or the id of a master, a host, an assistant or a room user.'),
  kind: AuditKind.optional().describe('Acts of one kind.'),
  user: z.string().max(64).optional().describe('The id of a room user: what it did, and what was done to it.'),
  from: DayOrTime.optional().describe('A day in UTC, or a time.'),
  to: DayOrTime.optional().describe('A day includes all of it.'),
  limit: z.coerce.number().int().min(1).max(AUDIT_PAGE_MAX).default(50),
  before: z
    .string()
    .regex(/^\d{1,18}$/, 'This is not the `next` of an earlier answer')
    .optional()
    .describe('The `next` of the page before.'),
  format: z
    .enum(['json', 'csv', 'jsonl'])
    .default('json')
    .describe(
      '`csv` and `jsonl` return all matching entries as a file, whatever the limit: a table, newest first, or one JSON ' +
        'object a line, oldest first.',
    ),
})
export type HostAuditQuery = z.output<typeof HostAuditQuery>

export const AuditQuery = HostAuditQuery.extend({
  host_id: z.string().max(64).optional(),
  search: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .optional()
    .describe(
      'A part of an action, or of the name of a host, a master, an assistant or a room user. The first 100 that match count.',
    ),
})
export type AuditQuery = z.output<typeof AuditQuery>

/** Newest first. `next` is the `before` of the next page; null on the last one. */
export const AuditAnswer = answer(z.object({ entries: z.array(AuditEntry), next: z.string().nullable() }))
export type AuditAnswer = z.infer<typeof AuditAnswer>
