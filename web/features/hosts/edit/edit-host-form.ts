import { utcDay } from '../../../../shared/dates.ts'
import type { EditHost, Host } from '../../../../shared/hosts.ts'
import {
  datesOf,
  editSubscription,
  readSubscription,
  type SubscriptionEdit,
} from '../../../../shared/subscription-dates.ts'
import { SUBSCRIPTION_MONTHS, type Subscription } from '../../../../shared/subscriptions.ts'
import { changedFields } from '../../../lib/changed-fields.ts'
import { formatUtcDay } from '../../../ui/format-date.ts'

/** The fields as form inputs hold them. */
export type EditHostValues = {
  username: string
  email: string
  mobile: string
  password: string
  room_name: string
  recording_enabled: boolean
  storage_limit_gb: number | string
  zoom_user_email: string
  action: SubscriptionEdit['action'] | ''
  months: string
  day: string
}

export function valuesOf(host: Host): EditHostValues {
  return {
    username: host.username,
    email: host.email,
    mobile: host.mobile ?? '',
    password: '', // blank keeps the current one
    room_name: host.room_name,
    recording_enabled: host.recording_enabled,
    storage_limit_gb: host.storage_limit_gb,
    zoom_user_email: host.zoom_user_email ?? '',
    action: '',
    months: '1',
    day: '',
  }
}

/** The form's change of the Zoom account: none, connected in this form, or disconnected. */
export type ZoomChange =
  | { kind: 'kept' }
  | { kind: 'dropped' }
  | { kind: 'connected'; email: string; resultId?: string }

export function editBody(values: EditHostValues, host: Host, zoom: ZoomChange, now: number): EditHost {
  const changed = editedSubscription(values, host, now)
  const { username, email, mobile, password, room_name, recording_enabled, storage_limit_gb } = values
  const fields = {
    ...{ username, email, mobile: mobile.trim() || null, room_name, recording_enabled },
    storage_limit_gb: typeof storage_limit_gb === 'number' ? storage_limit_gb : Number.NaN,
  }
  return {
    ...changedFields(fields, host),
    ...(password && { password }),
    ...zoomFields(zoom),
    ...(changed && {
      subscription_start_date: changed.after.subscription_start_date,
      subscription_end_date: changed.after.subscription_end_date,
      subscription_status: changed.after.subscription_status,
      subscription_action: changed.edit.action,
      ...('months' in changed.edit && { subscription_months: monthsOf(changed.edit.months) }),
    }),
    expect: { updated_at: host.updated_at },
  }
}

/** The consent named the host, so an account connected in the form is linked already. */
function zoomFields(zoom: ZoomChange): Pick<EditHost, 'zoom_user_email'> {
  if (zoom.kind === 'kept') return {}
  return { zoom_user_email: zoom.kind === 'connected' ? zoom.email : '' }
}

const monthsOf = (count: number) => SUBSCRIPTION_MONTHS.find((months) => months === count)

/** Previews the subscription after saving, with the server's own code; null if no change is chosen. */
export function editedSubscription(
  { action, months, day }: Pick<EditHostValues, 'action' | 'months' | 'day'>,
  host: Subscription,
  now: number,
): { edit: SubscriptionEdit; after: Subscription } | null {
  const edit = chosenEdit(action, Number(months), day)
  if (!edit) return null
  const at = new Date(now)
  return { edit, after: readSubscription(editSubscription(datesOf(host), edit, at), at) }
}

function chosenEdit(action: EditHostValues['action'], months: number, day: string): SubscriptionEdit | null {
  if (action === 'extend' || action === 'reduce') return { action, months }
  if (action === 'cancel') return { action }
  return action === 'set_date' && /^\d{4}-\d{2}-\d{2}$/.test(day) ? { action, day } : null
}

/** The earliest selectable end is today in UTC, as the server counts days. */
export function earliestDay(now: number): string {
  return utcDay(now).toString()
}

/** A Zoom account needs consent: an address that was only typed would be lost silently. */
export function zoomEmailFault({ zoom_user_email }: EditHostValues, host: Host) {
  const typed = zoom_user_email.trim()
  if (typed === '' || typed === host.zoom_user_email) return {}
  return { zoom_user_email: 'Press Connect Zoom to use this account, or leave this blank' }
}

const LABELS = {
  username: 'Username',
  email: 'Email',
  mobile: 'Mobile',
  room_name: 'Room name',
  recording_enabled: 'Recording',
  storage_limit_gb: 'Storage limit',
  zoom_user_email: 'Zoom account',
} as const

type Compared = keyof typeof LABELS
const COMPARED: Compared[] = [
  'username',
  'email',
  'mobile',
  'room_name',
  'recording_enabled',
  'storage_limit_gb',
  'zoom_user_email',
]

/**
 * Merges another master's changes into the form: untouched fields get the new values, edited fields keep theirs, and
 * `lines` names every change. An action is dropped if the subscription has changed, since the other master may have sold
 * the same months.
 */
export function mergeRemoteChanges(
  values: EditHostValues,
  before: Host,
  now: Host,
): { values: EditHostValues; lines: string[] } {
  const [was, is] = [valuesOf(before), valuesOf(now)]
  const changed = COMPARED.filter((name) => was[name] !== is[name])
  const untouched = changed.filter((name) => values[name] === was[name])
  const lines = changed.map((name) => `${LABELS[name]}: ${formatValue(is[name])}`)
  const subscription = changeOf(before, now)
  return {
    values: {
      ...values,
      ...Object.fromEntries(untouched.map((name) => [name, is[name]])),
      ...(subscription && { action: '' as const }),
    },
    lines: subscription ? [...lines, `Subscription: ${subscription}`] : lines,
  }
}

function changeOf(before: Subscription, now: Subscription): string | null {
  const [was, end] = [before, now].map(({ subscription_end_date: at }) => (at ? formatUtcDay(at) : 'none'))
  if (before.subscription_end_date !== now.subscription_end_date)
    return `${now.subscription_status}, end date ${end} (was ${was})`
  return before.subscription_status === now.subscription_status ? null : now.subscription_status
}

function formatValue(value: string | number | boolean): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return String(value) || 'none'
}
