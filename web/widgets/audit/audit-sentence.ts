import type { AuditEntry } from '../../../shared/audit.ts'
import { FIRST_COME, QueueOrder } from '../../../shared/queue-order.ts'
import { formatUtcDay } from '../../ui/format-date.ts'
import { ORDER_WORDS } from '../queue/queue-order-words.ts'
import { auditActionText, timesText } from './audit-words.ts'

/** The placeholder in a sentence for the user's name, or for the number of users. */
const USER = '{user}'

/** A sentence in three parts: the user's name in the middle may be a link. */
export type AuditSentence = { before: string; user: { id: string; name: string } | null; after: string }

/** Words an entry as a host reads it: "You muted Ravi", "Parley changed the meeting passcode". */
export function auditSentence(entry: AuditEntry): AuditSentence {
  const template = TEMPLATES[entry.action]
  const words = capitalised(template ? template(entry, whoOf(entry)) : auditActionText(entry.action), entry)
  const text = words + timesText(entry) + bulkWords(entry)
  const [before = '', after] = text.split(USER)
  if (after === undefined) return { before, user: null, after: '' }
  const user = userOf(entry)
  return typeof user === 'string' ? { before: before + user + after, user: null, after: '' } : { before, user, after }
}

export function auditSentenceText(entry: AuditEntry): string {
  const { before, user, after } = auditSentence(entry)
  return before + (user?.name ?? '') + after
}

const WHO = {
  host: 'you',
  master: 'an administrator',
  assistant: 'an assistant',
  system: 'Parley',
  phone: 'a phone',
  nobody: 'someone',
}

/** An assistant is named, since a host may have several. */
const whoOf = ({ actor }: AuditEntry) => (isNamed(actor) ? actor.name : WHO[actor.role])

const isNamed = (actor: AuditEntry['actor']): actor is AuditEntry['actor'] & { name: string } =>
  actor.role === 'assistant' && actor.name !== null

type Template = (entry: AuditEntry, who: string) => string

const plain =
  (words: string): Template =>
  (_entry, who) =>
    `${who} ${words}`

const TEMPLATES: Record<string, Template> = {
  host_login: plain('signed in'),
  host_login_failed: () => 'someone tried to sign in to your account with a wrong password',
  host_login_refused: (entry) => `your sign-in was refused${reasonOf(entry)}`,
  host_logout: plain('signed out'),
  host_handed_over: plain('continued in another browser'),
  assistant_login: plain('signed in'),
  assistant_login_failed: (entry) => {
    const name = entry.target?.name ?? 'an assistant'
    const reason = reasonOf(entry)
    return reason
      ? `the sign-in of ${name} was refused${reason}`
      : `someone tried to sign in as ${name} with a wrong password`
  },
  assistant_logout: plain('signed out'),
  assistant_handed_over: plain('continued in another browser'),
  assistant_added: (entry, who) => `${who} added the assistant ${assistantOf(entry)}`,
  assistant_edited: (entry, who) => `${who} changed the assistant ${assistantOf(entry)}${changesIn(entry)}`,
  assistant_invited: (entry, who) =>
    `${who} made a link with which the assistant ${assistantOf(entry)} sets a password`,
  assistant_removed: (entry, who) => `${who} removed the assistant ${assistantOf(entry)}`,
  phone_login: (entry) => `${phoneOf(entry)} signed in${isByLink(entry) ? ' with a link' : ''}`,
  phone_login_failed: (entry) => {
    if (isByLink(entry)) return 'a phone failed to sign in with a link that is no longer valid'
    return entry.target ? `${phoneOf(entry)} failed to sign in` : 'a phone failed to sign in with an unknown username'
  },
  phone_login_refused: (entry) => {
    const isOtherPhone = entry.after?.code === 'device_mismatch' && entry.target?.id !== entry.host_id
    return isOtherPhone
      ? `${USER} tried to sign in from a different phone; refused`
      : `${phoneOf(entry)} was refused${reasonOf(entry)}`
  },
  phone_logout: (entry) => `${phoneOf(entry)} signed out`,
  phone_change_asked: () => `${USER} asked to sign in on a new phone`,
  password_changed: (entry, who) => `${who} changed the password of ${accountOf(entry)}`,
  password_reset: (entry) => `the password of ${resetAccountOf(entry)} was set with a link`,
  second_factor_reset: (entry) => `the second factor of ${resetAccountOf(entry)} was removed with a link`,
  reset_link_made: plain('made a link that sets a new password for your account'),
  second_factor_failed: () => 'someone who had your password gave a wrong second factor',
  recovery_code_used: plain('signed in with a recovery code'),
  totp_added: plain('set up an app as the second factor of your account'),
  totp_removed: plain('removed the app from your account'),
  passkey_added: plain('added a passkey to your account'),
  passkey_removed: plain('removed a passkey from your account'),
  security_changed: plain('changed who must have a second factor'),
  recovery_codes_made: plain('made new recovery codes for your account'),
  session_ended: (entry, who) => `${who} ended another session of ${accountOf(entry)}`,
  sessions_ended: (entry, who) => `${who} ended all other sessions of ${accountOf(entry)}`,
  confirmed: plain('confirmed with the password'),
  confirm_failed: (entry, who) =>
    `someone who was signed in ${entry.actor.role === 'assistant' ? `as ${who}` : 'to your account'} gave a wrong password`,
  sign_in_refusals_capped: () =>
    'so many sign-ins or calls were refused that no more of them are listed until midnight UTC',
  access_refused: () => 'a call that is not allowed was refused',
  host_created: plain('created your account'),
  host_edited: (entry, who) => `${who} changed your account${changesIn(entry)}`,
  host_deleted: plain('deleted your account'),
  host_restored: plain('restored your account'),
  subscription_created: (entry, who) => `${who} started the subscription${untilOf(entry)}`,
  subscription_extended: (entry, who) => `${who} extended the subscription${monthsOf(entry)}${untilOf(entry)}`,
  subscription_reduced: (entry, who) => `${who} shortened the subscription${untilOf(entry)}`,
  subscription_date_set: (entry, who) => `${who} changed the end of the subscription${untilOf(entry)}`,
  subscription_cancelled: plain('cancelled the subscription'),
  subscription_edited: (entry, who) => `${who} changed the subscription${untilOf(entry)}`,
  zoom_connected: plain('connected your Zoom account'),
  zoom_connect_failed: () => 'connecting your Zoom account failed',
  zoom_disconnected: plain('disconnected your Zoom account'),
  zoom_reconnect_needed: () => 'Zoom has ended the connection: an administrator has to connect it again',
  zoom_data_purged: plain('erased the data of a disconnected Zoom account'),
  profile_activate: plain('activated the room'),
  profile_stop: plain('stopped the room'),
  profile_logout: plain('signed your phone out'),
  'profile_change-phone': plain('released your phone, so that another can sign in'),
  user_created: ({ after }, who) => `${who} added {user}${after?.users || after?.users_changed ? ' (import)' : ''}`,
  user_edited: (entry, who) => `${who} edited {user}${changesIn(entry)}`,
  user_activate: plain('activated {user}'),
  user_deactivate: plain('deactivated {user}'),
  user_delete: plain('deleted {user}'),
  user_logout: plain('signed {user} out'),
  user_mute: plain('muted {user}'),
  user_unmute: plain('unmuted {user}'),
  'user_lower-hand': plain('lowered the hand of {user}'),
  user_pin: plain('pinned {user} through Mute All'),
  user_unpin: plain('unpinned {user}'),
  group_created: (entry, who) => `${who} made the group ${groupOf(entry)}`,
  group_edited: (entry, who) => `${who} changed the group ${groupOf(entry)}${changesIn(entry)}`,
  group_deleted: (entry, who) => `${who} deleted the group ${groupOf(entry)}`,
  group_users_added: (entry, who) => `${who} added ${USER} to the group ${groupOf(entry)}`,
  group_users_removed: (entry, who) => `${who} took ${USER} out of the group ${groupOf(entry)}`,
  turn_limit_set: ({ after }, who) => `${who} ${turnLimitOf(after)}`,
  queue_order_set: ({ after }, who) => `${who} ordered the queue: ${queueOrderOf(after)}`,
  word_sent: (entry, who) => `${who} sent a word ${wordReceiverOf(entry)}${quoted(entry.after?.text)}`,
  word_taken_back: (entry, who) => `${who} took back a word ${wordReceiverOf(entry)}${quoted(entry.before?.text)}`,
  turn_ended: () => `${USER} was muted at the end of the turn`,
  user_switch: plain('released the phone of {user}, so that another can sign in'),
  user_phone_approved: plain('let {user} sign in on a new phone'),
  user_phone_refused: plain('refused the new phone of {user}'),
  user_credentials_revealed: ({ after }, who) =>
    `${who} ${REVEALED[String(after?.purpose)] ?? 'read the credentials of'} {user}`,
  sign_in_link_made: plain('made a link that signs {user} in'),
  sign_in_link_revoked: plain('revoked the link that signs {user} in'),
  attendee_mute: (entry, who) => `${who} muted ${attendeeOf(entry)} in Zoom`,
  'attendee_ask-unmute': (entry, who) => `${who} let Zoom ask ${attendeeOf(entry)} to unmute`,
  'attendee_ask-unmute-all': plain('let Zoom ask everyone to unmute'),
  attendee_allow: (entry, who) => `${who} let ${attendeeOf(entry)} speak in Zoom`,
  attendee_remove: (entry, who) => `${who} removed ${attendeeOf(entry)} from the meeting`,
  attendee_hold: (entry, who) => `${who} put ${attendeeOf(entry)} into the waiting room`,
  attendee_admit: (entry, who) => `${who} admitted ${attendeeOf(entry)} to the meeting`,
  'attendee_admit-all': plain('admitted everyone from the waiting room'),
  'attendee_lower-hand': (entry, who) => `${who} lowered the hand of ${attendeeOf(entry)} in Zoom`,
  attendee_linked: (entry, who) =>
    entry.target === null
      ? `${who} said that ${attendeeOf(entry)} in Zoom is no user of the room`
      : `${who} said that ${attendeeOf(entry)} in Zoom is {user}`,
  attendee_name_forgotten: (entry, who) =>
    `${who} no longer lets {user} be recognised in Zoom by the name ${attendeeOf(entry)}`,
  attendee_guarded: (entry, who) => `${who} muted ${attendeeOf(entry)} in Zoom again while the room was muted`,
  mute_all: plain('muted everyone'),
  unmute_all: plain('unmuted everyone'),
  app_info_edited: (entry, who) => `${who} changed the app info${changesIn(entry)}`,
  passcode_asked: plain('requested a new meeting passcode'),
  passcode_changed: plain('changed the meeting passcode'),
  recording_shared: ({ after }, who) =>
    `${who} let the room's users hear a recording in the app${untilDay(after?.shared_until)}`,
  recording_unshared: plain("no longer lets the room's users hear a recording in the app"),
  recordings_trashed: plain('moved a recording to the trash'),
  recordings_recovered: plain('recovered a recording from the trash'),
  meeting_planned: plain('planned a meeting'),
  planned_meeting_edited: (entry, who) => `${who} changed a planned meeting${changesIn(entry)}`,
  planned_meeting_removed: plain('removed a planned meeting'),
  calendar_link_made: plain('made a calendar link'),
  calendar_link_removed: plain('removed the calendar link'),
  report_link_made: plain('made a link to the report of a meeting'),
  report_link_ended: plain('ended a link to the report of a meeting'),
  meeting_start_asked: plain('opened the link that starts the meeting'),
  meeting_ended: plain('ended the meeting'),
  meeting_note_edited: plain('edited the note of a meeting'),
  seat_taken: plain("took the host's seat in the meeting"),
  seat_taken_over: plain("took the host's seat in the meeting over from another browser"),
  seat_released: plain("gave the host's seat in the meeting up"),
  seat_lost: () => "the host's seat in the meeting was lost",
  recording_start: plain('started the recording'),
  recording_pause: plain('paused the recording'),
  recording_resume: plain('resumed the recording'),
  recording_stop: plain('stopped the recording'),
  attendance_exported: plain('downloaded the attendance'),
  audit_exported: plain('downloaded the log'),
  renewals_exported: plain('downloaded the subscriptions to renew'),
  backup_asked: plain('asked for a backup'),
  mail_test_sent: plain('sent a test mail'),
  person_exported: plain('downloaded the data of {user}'),
  person_erased: plain('erased the data of {user}'),
  host_exported: plain('downloaded the data of your account'),
}

/** The sentence by the purpose that the console sent; other programs send none. */
const REVEALED: Record<string, string> = { copy: 'copied the credentials of', cards: 'opened the sign-in cards of' }

/** A name that somebody has in Zoom, as the audit kept it. */
const attendeeOf = ({ after }: AuditEntry) => (typeof after?.name === 'string' && after.name ? after.name : 'a guest')

const accountOf = ({ actor }: AuditEntry) => (actor.role === 'assistant' ? 'their own account' : 'your account')

function turnLimitOf(after: AuditEntry['after']): string {
  const { minutes, mutes } = after ?? {}
  if (typeof minutes !== 'number') return 'removed the time limit of turns'
  return `limited each turn to ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}${mutes ? ', with a mute at its end' : ''}`
}

function queueOrderOf(after: AuditEntry['after']): string {
  const { data = FIRST_COME } = QueueOrder.safeParse(after?.queue_order)
  return ORDER_WORDS[data]
}

const wordReceiverOf = ({ after }: AuditEntry) => (after?.to === 'room' ? 'to the room' : `to ${USER}`)

function groupOf({ before, after }: AuditEntry): string {
  const name = before?.name ?? after?.name
  return typeof name === 'string' ? `“${withoutPlaceholder(name)}”` : 'of a former name'
}

/** A text may hold the placeholder itself, which an invisible joiner keeps from being filled. */
const withoutPlaceholder = (text: string) => text.replaceAll(USER, USER.replace('{', '{\u2060'))

const quoted = (text: unknown) => (typeof text === 'string' ? `: “${withoutPlaceholder(text)}”` : '')

const assistantOf = ({ target }: AuditEntry) => target?.name ?? 'of a former name'

const resetAccountOf = ({ actor }: AuditEntry) => (isNamed(actor) ? actor.name : 'your account')

const isByLink = ({ after }: AuditEntry) => after?.link === true

/** Hosts sign in by phone, too. */
function phoneOf({ target, host_id }: AuditEntry): string {
  return target?.id === host_id ? 'your phone' : `phone of ${USER}`
}

const REASONS: Record<string, string> = {
  device_mismatch: 'it is not the phone that is registered',
  user_inactive: 'the user is deactivated',
  room_stopped: 'the room is stopped',
  subscription_inactive: 'the subscription is not active',
  subscription_cancelled: 'the subscription is cancelled',
}

function reasonOf({ after }: AuditEntry): string {
  const reason = REASONS[String(after?.code)]
  return reason ? `: ${reason}` : ''
}

const untilOf = ({ after }: AuditEntry) => untilDay(after?.subscription_end_date)

function untilDay(end: unknown): string {
  return typeof end === 'string' && !Number.isNaN(Date.parse(end)) ? `, until ${formatUtcDay(end)}` : ''
}

function monthsOf({ after }: AuditEntry): string {
  const months = after?.subscription_type
  if (typeof months !== 'number') return ''
  return months === 1 ? ' by 1 month' : ` by ${months} months`
}

const FIELDS: Record<string, string> = {
  user_id: 'user ID',
  room_name: 'room name',
  storage_limit_gb: 'storage limit',
  recording_enabled: 'recording',
  zoom_user_email: 'Zoom account',
  user_title: 'title',
  allow_recording: 'recording',
  has_public_card: 'room shown before sign-in',
  logo_url: 'logo',
  minutes: 'length',
  weekdays: 'days of the week',
}

/** Lists the names of the changed fields, never their values. */
function changesIn({ actor, after }: AuditEntry): string {
  const fields = Object.keys(after ?? {}).filter((name) => name !== 'role' || actor.role !== 'assistant')
  const names = fields.map((name) => FIELDS[name] ?? name.replaceAll('_', ' '))
  return names.length > 0 ? `: ${[...new Set(names)].join(', ')}` : ''
}

/** Returns one user, or the number of users of a bulk action. A deleted user has the name that the audit kept. */
function userOf({ target, before, after, users_left_out = 0 }: AuditEntry): { id: string; name: string } | string {
  const many = before?.users ?? after?.users
  const count = after?.users_changed ?? (Array.isArray(many) ? many.length + users_left_out : null)
  if (typeof count === 'number') return count === 1 ? '1 user' : `${count.toLocaleString('en')} users`
  if (target?.name) return { id: target.id, name: target.name }
  return typeof before?.username === 'string' ? before.username : 'a deleted user'
}

/** Says that the users are not listed, and how many were unchanged. */
function bulkWords({ action, after }: AuditEntry): string {
  if (!action.startsWith('user_')) return ''
  const notes = [
    ...(typeof after?.users_changed === 'number' ? ['not listed'] : []),
    ...(typeof after?.users_unchanged === 'number' ? [`${after.users_unchanged.toLocaleString('en')} unchanged`] : []),
  ]
  return notes.length > 0 ? ` (${notes.join(', ')})` : ''
}

/** A name keeps its letters. */
function capitalised(text: string, { actor }: AuditEntry): string {
  if (isNamed(actor) && text.startsWith(actor.name)) return text
  return text.charAt(0).toUpperCase() + text.slice(1)
}
