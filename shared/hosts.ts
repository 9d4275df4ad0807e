import { z } from 'zod'
import { dayOrTime } from './dates.ts'
import { answer, ById, Done, Time } from './envelope.ts'
import { PASSWORD_IS_NOT_NAME } from './password-rule.ts'
import { Subscription, SubscriptionMonths, SubscriptionStatus } from './subscriptions.ts'
import { tooLongMessage } from './too-long-message.ts'
import { refuseMixedAlphabets, visible } from './visible.ts'

export const STORAGE_OPTIONS_GB = [1, 5, 10, 25, 50, 100] as const
export const STORAGE_DEFAULT_GB = 5
export const HOST_PASSWORD_MIN = 6

export const ZoomStatus = z.enum(['connected', 'reconnect_needed', 'not_connected'])
export type ZoomStatus = z.infer<typeof ZoomStatus>

export const ZoomWarning = z.object({ code: z.string(), message: z.string() })
export type ZoomWarning = z.infer<typeof ZoomWarning>

export const Host = z.object({
  id: z.string(),
  numerical_id: z.number().int(),
  user_id: z.string(), // H and six digits of numerical_id: the "Host ID" of the phone app
  username: z.string(),
  email: z.string(),
  mobile: z.string().nullable(),
  full_name: z.string().nullable(),
  role: z.literal('host'),
  is_active: z.boolean(), // access to the room in the phone app; the console is not affected
  is_online: z.boolean(),
  storage_limit_gb: z.number(),
  storage_used_gb: z.number(),
  recording_enabled: z.boolean(),
  room_name: z.string(),
  rooms: z.array(z.object({ name: z.string(), zoom_meeting_id: z.string().nullable() })),
  zoom_user_email: z.string().nullable(),
  zoom_connected: z.boolean(),
  zoom_status: ZoomStatus,
  zoom_warnings: z.array(ZoomWarning),
  zoom_pmi: z.string().nullable(),
  is_live: z.boolean().default(false).describe('True while users are online in the room, or its meeting runs.'),
  unarchived_recordings: z.number().int().default(0).describe('Copies that have failed or find no room.'),
  user_count: z.number().int(),
  created_at: Time,
  updated_at: Time,
  last_seen: Time.nullable(),
  login_time: Time.nullable(),
  last_login_ip: z.string().nullable(),
  ip_address: z.string().nullable(),
  device_id: z.string().nullable(),
  device_model: z.string().nullable(),
  platform: z.string().nullable(),
  app_version: z.string().nullable(),
  ...Subscription.shape,
  deleted_at: Time.nullable(),
  purge_at: Time.nullable(),
})
export type Host = z.infer<typeof Host>

/** True if Zoom works in part at most: the connection is lost, or the account lacks something. A full archive is ours. */
export function isZoomInTrouble({ zoom_status, zoom_warnings }: Pick<Host, 'zoom_status' | 'zoom_warnings'>): boolean {
  return zoom_status === 'reconnect_needed' || zoom_warnings.some(({ code }) => code !== 'archive_full')
}

const HostUsername = z
  .string('Username is required')
  .trim()
  .min(1, 'Username is required')
  .max(64, tooLongMessage(64))
  .superRefine(visible)
  .superRefine(refuseMixedAlphabets)
const HostEmail = z
  .string('Email is required')
  .trim()
  .min(1, 'Email is required')
  .max(254, tooLongMessage(254))
  .pipe(z.email('Invalid email address'))
const HostPassword = z
  .string('Password is required')
  .min(HOST_PASSWORD_MIN, 'Password must be at least 6 characters')
  .max(1024, tooLongMessage(1024))
const Mobile = z.string().trim().max(32, tooLongMessage(32))
const RoomName = z.string().trim().max(100, tooLongMessage(100)).superRefine(visible)
/** A day or a time in UTC, regardless of the server's time zone. */
const SubscriptionDate = z.union([z.literal(''), dayOrTime('This is not a date')], 'This is not a date')
const StorageLimit = z
  .number('Storage limit must be a number')
  .min(1, 'Storage limit must be between 1 and 100 GB')
  .max(100, 'Storage limit must be between 1 and 100 GB')

export const IntegrateHost = z
  .object({
    email: HostEmail,
    password: HostPassword,
    username: HostUsername,
    room_name: RoomName.nullish(), // blank: ROOM- and the host's number
    recording_enabled: z.boolean().default(true),
    mobile: Mobile.nullish(),
    storage_limit_gb: StorageLimit.default(STORAGE_DEFAULT_GB),
    subscription_type: SubscriptionMonths.nullish(),
    zoom_oauth_data: z.unknown().optional(), // accepted but ignored: the server's own result decides
    oauth_result_id: z.string().max(128).nullish(),
  })
  .refine(...PASSWORD_IS_NOT_NAME)
export type IntegrateHost = z.input<typeof IntegrateHost>

export const EditHost = z
  .object({
    username: HostUsername.optional(),
    email: HostEmail.optional(),
    mobile: Mobile.nullish(),
    storage_limit_gb: StorageLimit.optional(),
    zoom_user_email: z.string().trim().max(254, tooLongMessage(254)).nullish(), // empty: the grant is revoked
    oauth_result_id: z.string().max(128).nullish(),
    password: z.union([z.literal(''), HostPassword]).nullish(), // blank keeps the current one
    subscription_start_date: SubscriptionDate.nullish(), // blank keeps the current one
    subscription_end_date: SubscriptionDate.nullish(),
    subscription_status: SubscriptionStatus.nullish(),
    subscription_action: z.enum(['extend', 'reduce', 'set_date', 'cancel']).nullish(), // how the dates were made
    subscription_months: SubscriptionMonths.nullish(),
    room_name: RoomName.nullish(),
    recording_enabled: z.boolean().optional(),
    expect: z.object({ updated_at: Time }).optional(), // the host as the caller saw it; else 409 state_changed
  })
  .refine(...PASSWORD_IS_NOT_NAME)
export type EditHost = z.input<typeof EditHost>

export const PROFILE_ACTIONS = ['activate', 'stop', 'logout', 'change-phone'] as const
export type ProfileAction = (typeof PROFILE_ACTIONS)[number]
export const HostProfileAction = ById.extend({ action: z.enum(PROFILE_ACTIONS) })

export const HostsAnswer = answer(z.object({ hosts: z.array(Host) }))
export const HostAnswer = answer(Host)
export const HostDetailsAnswer = answer(Host.extend({ assistant_count: z.int().min(0) }))
export const DeletedAnswer = Done
